//! Every algorithm against the naive one, unit by unit and over every split.

use super::{settings, sum_of_units};
use crate::split::Split;
use crate::split::prefix::{MAX_DEPTH, Prefixes};
use crate::{Algorithm, Count, Error, Kernel, Problem};

#[test]
fn every_split_depth_sums_to_the_same() {
    for n in 0..=9 {
        let problem = Problem::new(n).unwrap();
        let expected = sum_of_units(&problem, Algorithm::Naive, None);
        assert_eq!(sum_of_units(&problem, Algorithm::Arrays, Some(1)), expected);
        for depth in 1..=MAX_DEPTH {
            let counted = sum_of_units(&problem, Algorithm::Bitboard, Some(depth));
            assert_eq!(counted, expected, "n = {n}, depth {depth}");
        }
    }
    let problem = Problem::new(8).unwrap();
    for (algorithm, depth, max) in
        [(Algorithm::Naive, 2, 1), (Algorithm::Arrays, 0, 1), (Algorithm::Bitboard, 8, 7)]
    {
        let refused = Split::new(&problem, algorithm, Some(depth)).err();
        assert_eq!(refused, Some(Error::SplitDepth { depth, max }));
    }
}

/// The queens of the first rows, which a prefix remembers only as attacks.
fn queens_of(problem: &Problem, prefixes: &Prefixes, unit: u64) -> Problem {
    let target = prefixes.get(unit);
    let mut attacks = crate::attacks::Attacks::default();
    let mut given = problem.clone();
    let mut left = target.attacks.columns;
    for row in 0..target.row {
        // The columns are known as a set: the order is the one that leads to the same attacks.
        let last_rows = target.row - row - 1;
        let queen = crate::attacks::bits(left)
            .find(|&queen| {
                let mut orders = vec![(attacks.place(queen), left ^ queen)];
                for _ in 0..last_rows {
                    let longer = orders.iter().flat_map(|&(attacks, left)| {
                        crate::attacks::bits(left).map(move |q| (attacks.place(q), left ^ q))
                    });
                    orders = longer.collect();
                }
                orders.iter().any(|&(attacks, _)| attacks == target.attacks)
            })
            .unwrap();
        left ^= queen;
        attacks = attacks.place(queen);
        given = given.with_queen(row, queen.trailing_zeros()).unwrap();
    }
    given
}

#[test]
fn every_unit_of_small_boards_against_naive() {
    for (n, depth) in [(5, 2), (6, 1), (6, 3), (7, 1), (7, 2), (8, 3), (9, 2), (9, 4), (10, 2)] {
        let problem = Problem::new(n).unwrap();
        let prefixes = Prefixes::new(&problem, Some(depth)).unwrap();
        let split = Split::Prefixes(prefixes.clone());
        let settings = settings(Kernel::best());
        let counter = Algorithm::Bitboard.counter(&problem, split, &settings).unwrap();
        let mut worker = counter.worker();
        for unit in 0..prefixes.len() {
            let given = queens_of(&problem, &prefixes, unit);
            let (solutions, _) = sum_of_units(&given, Algorithm::Naive, None);
            let tally = worker(unit).unwrap();
            assert_eq!(tally.solutions, 2 * solutions, "n = {n}, depth {depth}, unit {unit}");
        }
    }
}

#[test]
fn boards_with_given_queens() {
    for n in [1, 4, 5, 8, 9] {
        for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let problem = Problem::new(n).unwrap().with_queen(row, column).unwrap();
            let expected = sum_of_units(&problem, Algorithm::Naive, None);
            for (algorithm, depth) in
                [(Algorithm::Arrays, 1), (Algorithm::Bitboard, 1), (Algorithm::Bitboard, 3)]
            {
                let counted = sum_of_units(&problem, algorithm, Some(depth));
                assert_eq!(counted, expected, "n = {n}, ({row}, {column}), {algorithm}, {depth}");
            }
        }
    }
}

#[test]
fn boards_of_32_rows_use_every_bit_of_the_masks() {
    // The first board of 32 rows (OEIS A141843), less its last queens, leaves few ways to go on.
    let board = [1, 3, 5, 2, 4, 9, 11, 13, 15, 6, 18, 24, 26, 30, 25, 31, 28, 32, 27, 29, 16];
    let mut problem = Problem::new(32).unwrap();
    for (row, column) in (0..).zip(board) {
        problem = problem.with_queen(row, column - 1).unwrap();
    }
    let expected = sum_of_units(&problem, Algorithm::Naive, None);
    assert!(expected.0 > 0);
    assert_eq!(sum_of_units(&problem, Algorithm::Arrays, None), expected);
    for depth in 1..=MAX_DEPTH {
        assert_eq!(sum_of_units(&problem, Algorithm::Bitboard, Some(depth)), expected);
    }
}

#[test]
fn auto_says_what_it_chose() {
    let outcome = Count::new(8).unwrap().run().unwrap();
    assert_eq!((outcome.algorithm, outcome.solutions), (Algorithm::Bitboard, 92));
    assert_eq!(
        Count::new(8).unwrap().algorithm(Algorithm::Naive).run().unwrap().reason,
        "asked for"
    );
}
