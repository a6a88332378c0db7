//! Tool calls and forks with criterion, beside the same tools in plain Rust.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot start has nothing to say")]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use probity_engine::Actor;
use probity_local::depot::Plain;
use probity_local::depot::{Operation, Workload};

fn calls(criterion: &mut Criterion) {
    for operation in [Operation::Read, Operation::Write] {
        let mut group = criterion.benchmark_group(operation.name());
        for entities in [10, 1_000, 100_000] {
            let workload = Workload::new(entities).unwrap();
            let calls = workload.calls(operation, 1024);
            let mut plain = Plain::new(&workload).unwrap();
            let mut next = calls.iter().cycle();
            group.bench_function(BenchmarkId::new("engine", entities), |bencher| {
                bencher.iter(|| workload.environment.step(&workload.state, next.next().unwrap(), Actor::Agent));
            });
            let mut next = calls.iter().cycle();
            group.bench_function(BenchmarkId::new("plain", entities), |bencher| {
                bencher.iter(|| plain.call(next.next().unwrap()));
            });
        }
        group.finish();
    }
}

fn forks(criterion: &mut Criterion) {
    let workload = Workload::new(100_000).unwrap();
    criterion.bench_function("fork", |bencher| {
        bencher.iter_batched(|| (), |()| workload.state.clone(), BatchSize::SmallInput)
    });
}

criterion_group!(benches, calls, forks);
criterion_main!(benches);
