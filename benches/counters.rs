//! Whole counts, side by side: one chart per board size. Each bench asserts its count.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use nqueens::{Algorithm, Count, Kernel, default_threads, known};

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

/// All algorithms, simple to fast, on one thread.
fn algorithms(criterion: &mut Criterion) {
    for n in 8..=12 {
        let mut group = criterion.benchmark_group(format!("algorithms/{n}"));
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        for algorithm in Algorithm::ALL {
            bench(&mut group, algorithm.name(), (algorithm, Kernel::best()), n, 1);
        }
        group.finish();
    }
}

/// The fast algorithms on every kernel of this CPU, on one thread.
fn kernels(criterion: &mut Criterion) {
    for n in 12..=14 {
        let mut group = criterion.benchmark_group(format!("kernels/{n}"));
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        for algorithm in fast() {
            for kernel in Kernel::available() {
                bench(&mut group, &format!("{algorithm} {kernel}"), (algorithm, kernel), n, 1);
            }
        }
        group.finish();
    }
}

/// The fast algorithms, on one thread and on all.
fn threads(criterion: &mut Criterion) {
    for (name, threads) in [("one_thread", 1), ("all_threads", default_threads())] {
        let mut group = criterion.benchmark_group(name);
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        for n in 13..=15 {
            for algorithm in fast() {
                bench(&mut group, algorithm.name(), (algorithm, Kernel::best()), n, threads);
            }
        }
        group.finish();
    }
}

fn fast() -> impl Iterator<Item = Algorithm> {
    let simple = [Algorithm::Naive, Algorithm::Arrays];
    Algorithm::ALL.into_iter().filter(move |algorithm| !simple.contains(algorithm))
}

criterion_group!(benches, algorithms, kernels, threads);
criterion_main!(benches);
