//! Backtracking with three `u32` masks: columns and both diagonals.
//!
//! The free squares of a row are one expression, `row & !(columns | left_diagonals |
//! right_diagonals)`, and the lowest free square is one more; [`Attacks`] draws the masks. A unit is
//! the choice of the first rows (a prefix), and mirror symmetry leaves half of them to be searched;
//! the head of `split/prefix.rs` shows why that is exact.
//!
//! Nodes are counted as the plain search meets them, all of them: each free square of each row
//! reached. So the node count is a second result that can be held against OEIS A319283.
//!
//! The search itself exists as kernels: `scalar` (the portable one), and `lanes`, written once for the
//! vectors of `avx2` and `avx512`. They find the same solutions and nodes in every unit.
//!
//! Time: about 8.3 times more per board size near `n` = 20. Memory: a few kilobytes per thread.

mod scalar;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod avx512;

use crate::attacks::{Attacks, bits};
use crate::counter::{Counter, Worker};
use crate::kernel::{self, Kernel};
use crate::problem::Problem;
use crate::split::prefix::{Prefix, Prefixes};
use crate::tally::Tally;
#[cfg(target_arch = "x86_64")]
use lanes::Lanes;

/// A unit is searched from this many positions or more, so that a kernel can take several at once.
const POSITIONS: usize = 64;

/// Counts the completions of every prefix.
#[derive(Debug)]
pub(crate) struct Bitboard {
    problem: Problem,
    prefixes: Prefixes,
    kernel: Kernel,
}

impl Bitboard {
    pub(crate) fn new(problem: &Problem, prefixes: Prefixes, kernel: Kernel) -> Self {
        Self { problem: problem.clone(), prefixes, kernel }
    }
}

/// Counts units, with memory of its own.
struct Completions<'a> {
    rows: &'a [u32],
    search: Search,
}

impl Completions<'_> {
    /// What lies at and below `prefix`.
    fn completions(&mut self, prefix: Prefix) -> Tally {
        let rows = self.rows;
        let mut tally = Tally { solutions: 0, work: 1 };
        let mut positions = vec![prefix.attacks];
        let mut row = prefix.row as usize;
        while row < rows.len() && !positions.is_empty() && positions.len() < POSITIONS {
            positions = children(rows[row], &positions);
            tally.work += positions.len() as u64;
            row += 1;
        }
        if row == rows.len() {
            tally.solutions = positions.len() as u64;
            return tally;
        }
        let below = self.search.count(rows, row, &positions);
        tally.solutions = below.solutions;
        tally.work += below.work;
        tally
    }
}

/// The search below many positions, with the instructions of one kernel.
enum Search {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(kernel::Avx2, lanes::Stacks),
    #[cfg(target_arch = "x86_64")]
    Avx512(kernel::Avx512, lanes::Stacks),
}

impl Search {
    /// # Panics
    /// If the CPU lacks the instructions.
    fn new(kernel: Kernel) -> Self {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Self::Avx2(kernel::Avx2::of_this_cpu(), lanes::Stacks::default()),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => Self::Avx512(kernel::Avx512::of_this_cpu(), lanes::Stacks::default()),
            _ => Self::Scalar,
        }
    }

    /// Solutions and nodes below `positions`, each standing before row `row` of `rows`.
    fn count(&mut self, rows: &[u32], row: usize, positions: &[Attacks]) -> Tally {
        match self {
            Self::Scalar => scalar::count(rows, row, positions),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(cpu, stacks) => cpu.count(rows, row, positions, stacks),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(cpu, stacks) => cpu.count(rows, row, positions, stacks),
        }
    }
}

/// Counts what lies at and below prefixes of `problem`, with the instructions of `kernel`.
pub(crate) fn completions(problem: &Problem, kernel: Kernel) -> impl FnMut(Prefix) -> Tally {
    let mut completions = Completions { rows: problem.rows(), search: Search::new(kernel) };
    move |prefix| completions.completions(prefix)
}

/// The positions one row further on, where `row` is the mask of the row to be filled.
fn children(row: u32, positions: &[Attacks]) -> Vec<Attacks> {
    let children = positions
        .iter()
        .flat_map(|position| bits(position.free(row)).map(|queen| position.place(queen)));
    children.collect()
}

impl Counter for Bitboard {
    fn worker(&self) -> Worker<'_> {
        let rows = self.problem.rows();
        let mut completions = Completions { rows, search: Search::new(self.kernel) };
        let weight = self.prefixes.weight();
        Box::new(move |unit| completions.completions(self.prefixes.get(unit)).times(weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All positions after each number of rows.
    fn levels(problem: &Problem) -> Vec<Vec<Attacks>> {
        let mut levels = vec![vec![Attacks::default()]];
        for &row in problem.rows() {
            levels.push(children(row, levels.last().unwrap()));
        }
        levels
    }

    /// Holds every kernel of this CPU against the portable one.
    fn agree(problem: &Problem, row: usize, positions: &[Attacks]) {
        let expected = Search::new(Kernel::Portable).count(problem.rows(), row, positions);
        for &kernel in Kernel::ALL {
            if kernel.is_available() {
                let counted = Search::new(kernel).count(problem.rows(), row, positions);
                assert_eq!(counted, expected, "{kernel}, n = {}, row {row}", problem.n());
            } else {
                println!("skipped: this CPU cannot run {kernel}");
            }
        }
    }

    #[test]
    fn every_position_of_small_boards() {
        for n in 1..=9 {
            let problem = Problem::new(n).unwrap();
            let levels = levels(&problem);
            for (row, positions) in levels[..n as usize].iter().enumerate() {
                agree(&problem, row, positions);
                for position in positions {
                    agree(&problem, row, std::slice::from_ref(position));
                }
            }
            // The portable kernel against the levels themselves.
            let counted = Search::new(Kernel::Portable).count(problem.rows(), 0, &levels[0]);
            assert_eq!(counted.solutions as usize, levels[n as usize].len());
            assert_eq!(counted.work as usize, levels[1..].iter().map(Vec::len).sum::<usize>());
        }
    }

    #[test]
    fn any_number_of_positions_at_once() {
        let problem = Problem::new(11).unwrap();
        let positions = &levels(&problem)[3];
        for count in [0, 1, 7, 8, 9, 15, 16, 17, 127, 128, 129, 255, 256, 257, positions.len()] {
            agree(&problem, 3, &positions[..count]);
        }
    }

    #[test]
    fn given_queens_in_any_row() {
        for n in [4, 6, 9] {
            for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
                let problem = Problem::new(n).unwrap().with_queen(row, column).unwrap();
                for (row, positions) in levels(&problem)[..n as usize].iter().enumerate() {
                    agree(&problem, row, positions);
                }
            }
        }
    }

    #[test]
    fn the_last_rows_of_large_boards() {
        // First boards of OEIS A141843, less their last rows.
        let board_of_31 =
            [1, 3, 5, 2, 4, 9, 11, 13, 15, 6, 18, 23, 26, 28, 31, 25, 27, 30, 7, 17, 29];
        let board_of_32 =
            [1, 3, 5, 2, 4, 9, 11, 13, 15, 6, 18, 24, 26, 30, 25, 31, 28, 32, 27, 29, 16];
        for (n, board) in [(31, board_of_31), (32, board_of_32)] {
            let problem = Problem::new(n).unwrap();
            let mut position = Attacks::default();
            for column in board {
                assert_ne!(position.free(problem.rows()[0]) & (1 << (column - 1)), 0);
                position = position.place(1 << (column - 1));
            }
            agree(&problem, board.len(), &[position]);
        }
    }
}
