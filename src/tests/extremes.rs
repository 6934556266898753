//! Extreme values for everything public that takes numbers: an error or a right answer, never a panic.

use std::io::sink;
use std::time::Duration;

use crate::tasks::{Merge, Plan, TaskCounter, TaskResult};
use crate::{
    Algorithm, Board, BoardReader, Classes, Complete, Count, Estimate, First, Flaw, Format, Kernel,
    List, MAX_COMPLETED, MAX_CONSTRUCTED, Problem, Run, Stop, Symmetry, check, construct, count,
    half_turn_count, known, quarter_turn_count,
};

/// Board sizes that no call takes.
const TOO_LARGE: [u32; 4] = [MAX_CONSTRUCTED + 1, i32::MAX as u32, u32::MAX - 1, u32::MAX];

/// Squares of which only the first may be on a board.
const SQUARES: [(u32, u32); 5] =
    [(0, 0), (0, u32::MAX), (u32::MAX, 0), (u32::MAX, u32::MAX), (1 << 31, 1 << 31)];

fn stopped() -> Stop {
    let stop = Stop::new();
    stop.request();
    stop
}

#[test]
fn boards_that_are_too_large() {
    for n in TOO_LARGE {
        assert!(count(n).is_err());
        assert!(Problem::new(n).is_err() && Problem::toroidal(n).is_err());
        assert!(Count::new(n).is_err() && List::new(n).is_err() && Estimate::new(n).is_err());
        assert!(First::new(n).is_err() && Complete::new(n).is_err() && construct(n).is_err());
        assert!(half_turn_count(n, &Stop::new()).is_err());
        assert!(quarter_turn_count(n, &Stop::new()).is_err());
        assert!(Classes::of(n, u128::MAX, &Stop::new()).is_err());
        assert_eq!((known::solutions(n), known::toroidal(n)), (None, None));
        assert_eq!(check(n, &[(0, 0)]), Err(Flaw::WrongLength { queens: 1, n }));
        assert!(Board::from_queens(n, &SQUARES).is_err());
        for &format in Format::ALL {
            let limited = matches!(format, Format::Digits | Format::Board | Format::Svg);
            assert_eq!(format.allow(n).is_err(), limited, "{format}");
        }
        for text in ["", "1", "Q", ". Q\nQ .", "(1,1)", "{}", "99999999999999999999999"] {
            for record in BoardReader::new(n, text.as_bytes()) {
                assert!(record.unwrap().board.is_err(), "{n}: {text}");
            }
        }
    }
    for n in 33..=64 {
        assert!(count(n).is_err());
        assert!(First::new(n).unwrap().stop(&stopped()).run().is_err());
    }
    assert!(Complete::new(MAX_COMPLETED).unwrap().run().unwrap().is_some());
}

#[test]
fn squares_that_are_nowhere() {
    for n in [0, 1, 2, 4, 32] {
        let problem = Problem::new(n).unwrap();
        for (row, column) in SQUARES {
            let is_there = n > 0 && (row, column) == (0, 0);
            assert_eq!(problem.allows(row, column), is_there);
            assert_eq!(problem.clone().with_queen(row, column).is_ok(), is_there);
            assert_eq!(Complete::new(n).unwrap().queens(&[(row, column)]).is_ok(), is_there);
            for &symmetry in Symmetry::ALL {
                assert_eq!(symmetry.square(n, row, column).is_some(), is_there);
            }
        }
        assert!(check(5, &SQUARES).is_err());
        let board = Board::from_columns([0]).unwrap();
        assert!(!board.has_queen(u32::MAX, u32::MAX));
    }
    assert!(Board::from_columns([u32::MAX; 4]).is_err());
    for &symmetry in Symmetry::ALL {
        let far = symmetry.square(u32::MAX, u32::MAX - 1, 0).unwrap();
        assert!(far.0 < u32::MAX && far.1 < u32::MAX);
    }
}

#[test]
fn settings_of_a_count() {
    for memory in [0, 1, u64::MAX] {
        for threads in [1, 100] {
            for n in [0, 1, 6, 11] {
                let counted = Count::new(n).unwrap().memory(memory).threads(threads).run().unwrap();
                assert_eq!(Some(counted.solutions), known::solutions(n).map(u128::from));
            }
        }
        let joined = Count::new(12).unwrap().algorithm(Algorithm::Join).memory(memory).run();
        assert_eq!(joined.map_or(14200, |outcome| outcome.solutions), 14200);
    }
    for depth in [0, 1, 8, 9, u32::MAX] {
        for &algorithm in Algorithm::ALL {
            let counted = Count::new(8).unwrap().algorithm(algorithm).split_depth(depth).run();
            assert_eq!(counted.map_or(92, |outcome| outcome.solutions), 92, "{algorithm}, {depth}");
        }
    }
    for &kernel in Kernel::ALL {
        for &algorithm in Algorithm::ALL {
            let counted = Count::new(9).unwrap().algorithm(algorithm).kernel(kernel).run();
            assert_eq!(counted.map_or(352, |outcome| outcome.solutions), 352);
        }
    }
}

#[test]
fn times_of_an_estimate() {
    for n in [0, 4, 16, 20] {
        let found = Estimate::new(n).unwrap().threads(1).time(Duration::ZERO).run().unwrap();
        let known = known::solutions(n).unwrap() as f64;
        let distance = (found.solutions.value - known).abs();
        assert!(distance <= 8.0 * found.solutions.standard_error + 1e-6, "{n}: {found:?}");
    }
    let endless = Estimate::new(20).unwrap().time(Duration::MAX).stop(&stopped());
    assert!(endless.run().is_err());
}

#[test]
fn classes_of_counts_that_cannot_be() {
    for n in [0, 1, 2, 8, u32::MAX] {
        for solutions in [0, 1, 93, u128::MAX] {
            for symmetric in [0, 1, u64::MAX] {
                // Whatever is taken for possible adds up.
                if let Ok(classes) = Classes::from_counts(n, solutions, symmetric, symmetric) {
                    assert_eq!(classes.solutions(), solutions);
                }
            }
        }
    }
    let mut classes = Classes::from_counts(1, 1, 1, 1).unwrap();
    (classes.of_1, classes.of_8) = (u64::MAX, u128::MAX);
    assert_eq!((classes.solutions(), classes.fundamental()), (u128::MAX, u128::MAX));
}

#[test]
fn plans_and_results_changed_by_hand() {
    let problem = Problem::new(6).unwrap();
    let run = Run::new(&problem, Algorithm::Bitboard, None).unwrap();
    let task = Plan::new(run.clone(), None).tasks().next().unwrap();
    let result = TaskCounter::new().run(&task, &(), &Stop::new()).unwrap();
    for units in [0, 1, run.units, u64::MAX] {
        for len in [0, 1, u64::MAX] {
            let mut plan = Plan::new(Run { units, ..run.clone() }, Some(len));
            plan.units_per_task = len;
            assert!(plan.tasks_len() > 0);
            let first = plan.tasks().next().unwrap();
            assert!(first.units.end <= units);
            if plan.tasks_len() < 100 {
                assert_eq!(plan.tasks().last().unwrap().units.end, units);
            }
        }
    }
    for first in [1, u64::MAX] {
        let mut moved = result.clone();
        moved.first = first;
        assert!(!moved.units().contains(&0));
        assert_eq!(moved.difference(&moved.clone()), None);
        let _ = moved.difference(&result);
        let is_there = moved.units().end <= run.units;
        assert_eq!(TaskResult::from_line(&moved.to_line()).is_ok(), is_there);
    }
    let mut large = result.clone();
    large.tallies.iter_mut().for_each(|tally| tally.solutions = u64::MAX);
    large.elapsed = Duration::MAX;
    assert_eq!(large.solutions(), u128::from(u64::MAX) * large.tallies.len() as u128);
    let mut merge = Merge::new();
    merge.read("forged", (large.to_line() + "\n").as_bytes()).unwrap();
    assert!(merge.elapsed() <= Duration::MAX);
    for unit in [0, u64::MAX] {
        let _ = merge.holds(unit);
    }
    Format::Columns.write(&Board::from_columns([]).unwrap(), &mut sink()).unwrap();
}
