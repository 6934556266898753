//! Threads, observers and cancellation.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::{Algorithm, Count, Error, MAX_THREADS, Observer, Problem, Stop, Tally};

#[test]
fn any_number_of_threads() {
    for n in [0, 1, 2, 3, 4, 6, 8, 12] {
        let expected = Count::new(n).unwrap().threads(1).run().unwrap();
        for threads in (1..=16).chain([31, 64]) {
            for &algorithm in Algorithm::ALL {
                let slow = matches!(algorithm, Algorithm::Naive | Algorithm::Arrays);
                if (slow && n == 12) || !algorithm.supports(&Problem::new(n).unwrap()) {
                    continue;
                }
                let count = Count::new(n).unwrap().algorithm(algorithm).threads(threads);
                let outcome = count.run().unwrap();
                assert_eq!(outcome.solutions, expected.solutions, "{algorithm}, {n}, {threads}");
                if algorithm.work_kind() == expected.algorithm.work_kind() {
                    assert_eq!(outcome.work, expected.work, "{algorithm}, {n}, {threads}");
                }
            }
        }
    }
    for threads in [0, MAX_THREADS + 1, usize::MAX] {
        let refused = Count::new(8).unwrap().threads(threads).run();
        assert_eq!(refused, Err(Error::ThreadCount { threads, max: MAX_THREADS }));
    }
}

#[derive(Default)]
struct Heard {
    expected: Mutex<u64>,
    units: Mutex<HashMap<u64, Tally>>,
}

impl Observer for Heard {
    fn started(&self, units: u64) {
        *self.expected.lock().unwrap() = units;
    }

    fn finished(&self, unit: u64, tally: Tally, _: Duration) {
        assert_eq!(self.units.lock().unwrap().insert(unit, tally), None, "unit {unit} twice");
    }
}

#[test]
fn an_observer_hears_of_every_unit_once() {
    let problem = Problem::new(9).unwrap();
    for &algorithm in Algorithm::ALL.iter().filter(|one| one.supports(&problem)) {
        let heard = Heard::default();
        let count = Count::new(9).unwrap().algorithm(algorithm).threads(3).observer(&heard);
        let outcome = count.run().unwrap();
        let units = heard.units.into_inner().unwrap();
        assert_eq!(units.len() as u64, outcome.units);
        assert_eq!(heard.expected.into_inner().unwrap(), outcome.units);
        assert_eq!(units.values().map(|tally| u128::from(tally.solutions)).sum::<u128>(), 352);
    }
}

#[test]
fn a_long_count_can_be_stopped_from_another_thread() {
    let stop = Stop::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            stop.request();
        });
        let started = Instant::now();
        let stopped = Count::new(18).unwrap().threads(2).stop(&stop).run();
        assert_eq!(stopped, Err(Error::Stopped));
        assert!(started.elapsed() < Duration::from_secs(2));
    });
    assert_eq!(Count::new(8).unwrap().stop(&stop).run(), Err(Error::Stopped));
    assert_eq!(crate::count(8), Ok(92));
}

#[test]
fn repeated_and_simultaneous_calls_are_independent() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (n, solutions) in [(8, 92), (8, 92), (5, 10), (8, 92), (12, 14200), (4, 2)] {
                    assert_eq!(crate::count(n), Ok(solutions));
                }
            });
        }
    });
}

#[test]
fn calls_from_inside_other_pools_finish() {
    use rayon::prelude::*;
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (0..200u32).into_par_iter().for_each(|i| {
                let n = 8 + i % 3;
                let expected = [92, 352, 724][(n - 8) as usize];
                let count = Count::new(n).unwrap().threads(1 + i as usize % 4);
                assert_eq!(count.run().unwrap().solutions, expected);
            });
        });
    }
}

/// Keeps the names of the threads that it hears from; the first ones wait for a second.
#[derive(Default)]
struct Names {
    names: Mutex<HashSet<String>>,
    news: Condvar,
}

impl Observer for Names {
    fn finished(&self, _: u64, _: Tally, _: Duration) {
        let mut names = self.names.lock().unwrap();
        names.insert(std::thread::current().name().unwrap_or("").to_string());
        self.news.notify_all();
        let patience = Duration::from_secs(60);
        drop(self.news.wait_timeout_while(names, patience, |names| names.len() < 2).unwrap());
    }
}

#[test]
fn the_global_pool_is_not_touched() {
    let names = Names::default();
    Count::new(13).unwrap().threads(4).observer(&names).run().unwrap();
    let names = names.names.into_inner().unwrap();
    assert!(names.iter().all(|name| name.starts_with("nqueens-")), "{names:?}");
    assert!(names.len() > 1, "{names:?}");
    // Whoever builds the global pool first may still do so.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    assert_eq!(Count::new(11).unwrap().threads(4).run().unwrap().threads, 4);
}

#[test]
fn tiny_boards_are_counted_by_the_caller() {
    struct Caller(std::thread::ThreadId);
    impl Observer for Caller {
        fn finished(&self, _: u64, _: Tally, _: Duration) {
            assert_eq!(std::thread::current().id(), self.0);
        }
    }
    let caller = Caller(std::thread::current().id());
    let outcome = Count::new(8).unwrap().threads(4).observer(&caller).run().unwrap();
    assert_eq!((outcome.solutions, outcome.threads), (92, 1));
}

#[test]
fn calls_from_inside_a_pool_use_it() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let pool = pool.thread_name(|index| format!("caller-{index}")).build().unwrap();
    let names = Names::default();
    let count = Count::new(13).unwrap().threads(4).observer(&names);
    let outcome = pool.install(|| count.run()).unwrap();
    assert_eq!((outcome.solutions, outcome.threads), (73712, 2));
    let both = ["caller-0", "caller-1"].map(String::from);
    assert_eq!(names.names.into_inner().unwrap(), HashSet::from(both));
}

#[test]
fn a_panic_of_an_observer_ends_the_call() {
    #[derive(Default)]
    struct Panics(AtomicU64);
    impl Observer for Panics {
        fn finished(&self, _: u64, _: Tally, _: Duration) {
            if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
                resume_unwind(Box::new("enough"));
            }
            // Gives the thread that panics all the time it needs.
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    for pool in [None, Some(rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap())] {
        let panics = Panics::default();
        let count = Count::new(14).unwrap().algorithm(Algorithm::Bitboard).threads(2);
        let count = count.observer(&panics);
        let call = || match &pool {
            None => count.run(),
            Some(pool) => pool.install(|| count.run()),
        };
        let reason = catch_unwind(AssertUnwindSafe(call)).unwrap_err();
        assert_eq!(reason.downcast_ref(), Some(&"enough"));
        let told = panics.0.into_inner();
        assert!(told < 100, "told {told} times");
    }
}
