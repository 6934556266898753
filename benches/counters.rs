//! Whole counts, side by side: one chart per board size. Each bench asserts its count.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use nqueens::{Algorithm, Count, Kernel, default_threads, known};

fn group<'a>(criterion: &'a mut Criterion, name: String) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group
}

fn bench(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    (algorithm, kernel): (Algorithm, Kernel),
    n: u32,
    threads: usize,
) {
    let solutions = known::solutions(n).unwrap();
    group.throughput(Throughput::Elements(solutions));
    group.bench_function(BenchmarkId::new(name, n), |bencher| {
        bencher.iter(|| {
            let count = Count::new(black_box(n)).unwrap().algorithm(algorithm).kernel(kernel);
            assert_eq!(count.threads(threads).run().unwrap().solutions, solutions.into());
        });
    });
}

/// `naive` against `arrays` against `bitboard` on one thread, without vectors.
fn algorithms(criterion: &mut Criterion) {
    for n in 8..=12 {
        let mut group = group(criterion, format!("algorithms/{n}"));
        for algorithm in [Algorithm::Naive, Algorithm::Arrays, Algorithm::Bitboard] {
            bench(&mut group, algorithm.name(), (algorithm, Kernel::Portable), n, 1);
        }
        group.finish();
    }
}

/// `bitboard` against `join` on one thread, with every kernel of this CPU.
fn kernels(criterion: &mut Criterion) {
    for n in 12..=17 {
        let mut group = group(criterion, format!("kernels/{n}"));
        for algorithm in [Algorithm::Bitboard, Algorithm::Join] {
            for kernel in Kernel::available() {
                // The scalar search takes half a minute for 17.
                let scalar = (algorithm, kernel) == (Algorithm::Bitboard, Kernel::Portable);
                if n < 16 || !scalar {
                    bench(&mut group, &format!("{algorithm}_{kernel}"), (algorithm, kernel), n, 1);
                }
            }
        }
        group.finish();
    }
}

/// `bitboard` and `join` on one thread and on all.
fn threads(criterion: &mut Criterion) {
    for (name, threads) in [("one_thread", 1), ("all_threads", default_threads())] {
        let mut group = group(criterion, name.into());
        for n in 13..=15 {
            for algorithm in [Algorithm::Bitboard, Algorithm::Join] {
                bench(&mut group, algorithm.name(), (algorithm, Kernel::best()), n, threads);
            }
        }
        group.finish();
    }
}

criterion_group!(benches, algorithms, kernels, threads);
criterion_main!(benches);
