//! Counts and node counts against OEIS.

use super::table;
use crate::count::Count;
use crate::split::Split;
use crate::split::prefix::Prefixes;
use crate::{Algorithm, Kernel, MAX_N, Problem, known};

fn counts_up_to(algorithm: Algorithm, max: u32) {
    for n in 0..=max {
        let outcome = Count::new(n).unwrap().algorithm(algorithm).run().unwrap();
        assert_eq!(outcome.algorithm, algorithm);
        assert_eq!(Some(outcome.solutions), known::solutions(n).map(u128::from), "n = {n}");
    }
}

#[test]
fn naive() {
    counts_up_to(Algorithm::Naive, 11);
}

#[test]
fn arrays() {
    counts_up_to(Algorithm::Arrays, 12);
}

#[test]
fn bitboard() {
    for (kernel, max) in Kernel::ALL.iter().copied().zip([14, 15, 15]) {
        if !kernel.is_available() {
            println!("skipped: this CPU cannot run {kernel}");
            continue;
        }
        for n in 0..=max {
            let count = Count::new(n).unwrap().algorithm(Algorithm::Bitboard).kernel(kernel);
            let outcome = count.run().unwrap();
            assert_eq!(outcome.kernel, kernel);
            assert_eq!(Some(outcome.solutions), known::solutions(n).map(u128::from), "n = {n}");
        }
    }
}

#[test]
#[ignore = "half a minute"]
fn bitboard_of_16_to_18() {
    for n in 16..=18 {
        let outcome = Count::new(n).unwrap().algorithm(Algorithm::Bitboard).run().unwrap();
        assert_eq!(Some(outcome.solutions), known::solutions(n).map(u128::from));
    }
}

#[test]
fn join() {
    for (kernel, max) in Kernel::ALL.iter().copied().zip([16, 17, 17]) {
        if !kernel.is_available() {
            println!("skipped: this CPU cannot run {kernel}");
            continue;
        }
        for n in 4..=max {
            let count = Count::new(n).unwrap().algorithm(Algorithm::Join).kernel(kernel);
            let outcome = count.run().unwrap();
            assert_eq!((outcome.algorithm, outcome.kernel), (Algorithm::Join, kernel));
            assert_eq!(Some(outcome.solutions), known::solutions(n).map(u128::from), "n = {n}");
        }
    }
}

#[test]
fn join_of_18() {
    let outcome = Count::new(18).unwrap().algorithm(Algorithm::Join).run().unwrap();
    assert_eq!(outcome.solutions, 666_090_624);
    assert_eq!(outcome.work, 209_057_654_286, "pairs of half boards, the same on every machine");
}

#[test]
#[ignore = "minutes"]
fn join_of_19_and_20() {
    for n in [19, 20] {
        let outcome = Count::new(n).unwrap().algorithm(Algorithm::Join).run().unwrap();
        assert_eq!(Some(outcome.solutions), known::solutions(n).map(u128::from));
    }
}

#[test]
fn the_table_is_the_published_one() {
    let rows = table(include_str!("../../tests/data/a000170.csv"));
    assert_eq!(rows.len(), 28);
    for row in rows {
        assert_eq!(known::solutions(row[0] as u32), Some(row[1]));
    }
    for n in [28, 29, u32::MAX] {
        assert_eq!(known::solutions(n), None);
    }
}

#[test]
fn nodes_are_those_of_the_backtrack_tree() {
    for row in table(include_str!("../../tests/data/a319283.csv")) {
        let (n, nodes) = (row[0] as u32, row[1]);
        for (algorithm, max) in Algorithm::ALL.iter().copied().zip([10, 11, 14]) {
            if n <= max {
                let outcome = Count::new(n).unwrap().algorithm(algorithm).run().unwrap();
                assert_eq!(outcome.work, nodes.into(), "{algorithm}, n = {n}");
            }
        }
    }
}

#[test]
fn nodes_level_by_level() {
    for row in table(include_str!("../../tests/data/a319284.csv")) {
        let (n, level, nodes) = (row[0] as u32, row[1] as u32, row[2]);
        if n >= 2 && (2..=7.min(n)).contains(&level) {
            let prefixes = Prefixes::new(&Problem::new(n).unwrap(), Some(level)).unwrap();
            assert_eq!(prefixes.len() * prefixes.weight(), nodes, "n = {n}, level {level}");
        }
    }
}

#[test]
fn by_the_column_of_the_first_queen() {
    for row in table(include_str!("../../tests/data/first_row_counts.csv")) {
        let (n, column, count) = (row[0] as u32, row[1] as u32, row[2]);
        if n <= 12 {
            let problem = Problem::new(n).unwrap().with_queen(0, column - 1).unwrap();
            let able = Algorithm::ALL.iter().copied().filter(|one| one.supports(&problem));
            for algorithm in able {
                let outcome = Count::of(problem.clone()).algorithm(algorithm).run().unwrap();
                assert_eq!(outcome.solutions, count.into(), "{algorithm}, n = {n}, {column}");
            }
        }
    }
}

#[test]
fn the_smallest_and_largest_boards_are_in_range() {
    let problem = Problem::new(MAX_N).unwrap();
    for &algorithm in Algorithm::ALL.iter().filter(|one| one.supports(&problem)) {
        assert!(Split::new(&problem, algorithm, None).unwrap().len() > 0);
    }
    assert!(Count::new(MAX_N + 1).is_err());
    assert!(crate::count(u32::MAX).is_err());
}
