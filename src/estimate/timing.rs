//! How long a count takes, from random units.
//!
//! Random units of the algorithm itself are counted on all threads. Where one unit would take too long,
//! this is done on the largest board of the same parity where it does not, and carried over: with the
//! number of nodes for algorithms that search nodes (so smaller boards need not hold the given queens),
//! with the usual growth from board to board for others: then it is good to a factor of two or so.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::counter::{Counter, Settings};
use crate::error::Error;
use crate::execute::{Execution, Observer};
use crate::problem::Problem;
use crate::split::Split;
use crate::tally::{Tally, WorkKind};

/// How long a count would take.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TimeEstimate {
    /// Wall-clock time in seconds on the threads of the estimate.
    pub seconds: f64,
    /// The board on which units were timed; another one than was asked for if its units take too long.
    pub timed_board: u32,
    /// Number of units timed.
    pub timed_units: u64,
}

/// Times units.
pub(super) struct Timing<'a> {
    pub(super) algorithm: Algorithm,
    pub(super) execution: Execution<'a>,
    pub(super) settings: Settings,
    pub(super) time: Duration,
}

/// Units of a board that can be counted.
struct Units {
    len: u64,
    counter: Box<dyn Counter>,
}

/// What timing units of one board has shown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Timed {
    n: u32,
    units: u64,
    /// Thread time of the whole count.
    seconds: f64,
    /// Work per second of a thread.
    rate: f64,
}

impl Timed {
    /// The time of the board of `n` rows, whose backtrack tree has `nodes` nodes.
    pub(super) fn whole(
        &self,
        n: u32,
        nodes: f64,
        algorithm: Algorithm,
        threads: usize,
    ) -> TimeEstimate {
        let whole = if self.units == 0 {
            // No unit at all, so no time.
            0.0
        } else if algorithm.work_kind() == WorkKind::Nodes {
            nodes / self.rate.max(1.0)
        } else {
            let steps = (self.n + 2..=n).step_by(2);
            self.seconds * steps.map(|n| growth(algorithm, n)).product::<f64>()
        };
        TimeEstimate {
            seconds: whole / threads as f64,
            timed_board: self.n,
            timed_units: self.units,
        }
    }
}

/// About how many times longer the board of `n` rows takes than the one two rows smaller. For the join
/// measured up to 24 on one thread with AVX-512, and carried on to the growth of nodes, which bounds
/// it; smaller boards grow less, since most of their time is not spent on pairs.
fn growth(algorithm: Algorithm, n: u32) -> f64 {
    match (algorithm.work_kind(), n) {
        (WorkKind::Nodes, _) => 75.0,
        (WorkKind::Pairs, ..=18) => 28.0,
        (WorkKind::Pairs, 19..=20) => 31.0,
        (WorkKind::Pairs, 21..=22) => 35.0,
        (WorkKind::Pairs, 23..=24) => 48.0,
        (WorkKind::Pairs, 25..=26) => 55.0,
        (WorkKind::Pairs, _) => 65.0,
    }
}

/// Seconds and work of the timed units.
#[derive(Default)]
struct Took(Mutex<(f64, f64)>);

impl Observer for Took {
    fn finished(&self, _unit: u64, tally: Tally, took: Duration) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sums.0 += took.as_secs_f64();
        sums.1 += tally.work as f64;
    }
}

/// The smallest board that is timed.
const FIRST: u32 = 10;

/// A board is timed if one of its units takes no more than this share of the time left.
const UNIT_SHARE: f64 = 0.25;

/// A board on the way to the largest gets this share of the time left, and no more units than this.
const FEW_SHARE: f64 = 0.1;
const FEW_UNITS: u64 = 500;

/// The largest board gets no more units than this.
const MANY_UNITS: u64 = 20_000;

impl Timing<'_> {
    /// Times units of larger and larger boards, up to that of `problem` if the time allows it, and
    /// more of them on the largest.
    pub(super) fn time_boards(&self, problem: &Problem) -> Result<Timed, Error> {
        let started = Instant::now();
        let left = || self.time.saturating_sub(started.elapsed()).as_secs_f64();
        let n = problem.n();
        let mut last = Timed::default();
        let mut largest = None;
        let first = (FIRST + n % 2).min(n);
        for size in (first..=n).step_by(2) {
            let board = if size == n { problem.clone() } else { Problem::new(size)? };
            let units = match self.units(&board) {
                Ok(units) => units,
                Err(error) if last.n == 0 && size == n => return Err(error),
                // Too small for the algorithm: try a larger one. Too large for the memory: no further.
                Err(_) if last.n == 0 => continue,
                Err(_) => break,
            };
            let seconds = growth(self.algorithm, size) * last.seconds;
            let unit = seconds / units.len as f64;
            if units.len == 0 || last.n > 0 && unit > left() * UNIT_SHARE {
                break;
            }
            last = self.time_units(size, &units, self.execution.threads() as u64)?;
            let more = self.affordable(&last, &units, left() * FEW_SHARE);
            if more > last.units {
                last = self.time_units(size, &units, more.min(FEW_UNITS))?;
            }
            largest = Some(units);
        }
        if let Some(units) = largest {
            let more = self.affordable(&last, &units, left());
            if more > last.units {
                last = self.time_units(last.n, &units, more.min(MANY_UNITS))?;
            }
        }
        Ok(last)
    }

    fn units(&self, board: &Problem) -> Result<Units, Error> {
        let split = Split::new(board, self.algorithm, None)?;
        let len = split.len();
        Ok(Units { len, counter: self.algorithm.counter(board, split, &self.settings)? })
    }

    /// Number of units that can be timed in `seconds`.
    fn affordable(&self, timed: &Timed, units: &Units, seconds: f64) -> u64 {
        let unit = timed.seconds / units.len as f64;
        (seconds * self.execution.threads() as f64 / unit.max(1e-6)) as u64
    }

    /// Times `samples` random units.
    fn time_units(&self, n: u32, units: &Units, samples: u64) -> Result<Timed, Error> {
        let took = Took::default();
        let random = (0..samples).map(|_| fastrand::u64(..units.len));
        self.execution.count(self.algorithm, &*units.counter, random, &took)?;
        let (seconds, work) = took.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mean = seconds / samples as f64;
        Ok(Timed {
            n,
            units: samples,
            seconds: mean * units.len as f64,
            rate: work / seconds.max(1e-9),
        })
    }
}
