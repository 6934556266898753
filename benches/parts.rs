//! The parts of the join, per kernel: making quarter lists, half boards, partition, one leaf, and
//! matching a whole pair of column sets.

use std::time::Duration;

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use nqueens::Kernel;
use nqueens::internals::{JoinParts, JoinScratch};

fn parts(criterion: &mut Criterion) {
    for n in [16, 18, 19] {
        let mut group = criterion.benchmark_group(format!("join_parts/{n}"));
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
        let mut found = None;
        for kernel in Kernel::available() {
            let parts = JoinParts::new(n, kernel);
            let mut scratch = JoinScratch::default();
            let matches = parts.matches(usize::MAX, &mut scratch);
            assert_eq!(*found.get_or_insert(matches), matches, "all kernels find the same");
            group.bench_function(BenchmarkId::new("quarters", kernel), |bencher| {
                bencher.iter(|| parts.quarters());
            });
            group.bench_function(BenchmarkId::new("quarters_and_halves", kernel), |bencher| {
                bencher.iter(|| parts.halves());
            });
            let keys = parts.bottoms.len() as u64;
            group.throughput(Throughput::Elements(keys));
            let mut out = Vec::new();
            group.bench_function(BenchmarkId::new("partition", kernel), |bencher| {
                bencher.iter(|| parts.partition(&mut out));
            });
            group.bench_function(BenchmarkId::new("leaf", kernel), |bencher| {
                bencher.iter(|| parts.matches(512, &mut scratch));
            });
            group.throughput(Throughput::Elements(keys + parts.tops.len() as u64));
            group.bench_function(BenchmarkId::new("matching", kernel), |bencher| {
                bencher.iter(|| parts.matches(usize::MAX, &mut scratch));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, parts);
criterion_main!(benches);
