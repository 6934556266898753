//! How long a count would take, and about how many boards there are, from random samples.
//!
//! # The number of boards
//! A sample is a random descent (D. E. Knuth, *Estimating the efficiency of backtrack programs*, 1975):
//! begin with the empty board, place a queen on one of the `k` free squares of the next row, each with
//! probability `1/k`, and multiply a weight by `k`. After `depth` rows count everything below:
//!
//! ```text
//! n = 4, depth 2     Q . . .  k = 4          weight 8, nothing below it;
//!                    . . Q .  k = 2          all 8 samples of this kind:  0 or 8 * 1
//! ```
//!
//! A position is reached with one over its weight as its probability. So weight times boards below it
//! is, on average over all descents, exactly the number of boards, and the same holds for nodes: the
//! estimate is unbiased for every depth. Counting below spares most of the spread of pure descents;
//! what remains is measured, as the standard error of the mean.
//!
//! How deep to descend, and how many samples to take, is decided from descents that do not enter the
//! result. (A sample that ends when its time is over would miss large subtrees more often than small
//! ones.)
//!
//! # The time
//! Random units of the algorithm itself are counted on all threads. Where one unit would take too long,
//! this is done on the largest board of the same parity where it does not, and carried over: with the
//! number of nodes for algorithms that search nodes, with the usual growth from board to board for
//! others: then it is good to a factor of two or so.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::attacks::bits;
use crate::count::{default_memory, threads_for};
use crate::counter::{Counter, Settings, Tally, Work, Worker, completions};
use crate::error::Error;
use crate::execute::{Execution, Observer, Stop};
use crate::kernel::Kernel;
use crate::prefix::Prefix;
use crate::problem::Problem;

/// A mean of samples.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Estimated {
    /// The mean: unbiased.
    pub value: f64,
    /// Its standard error; 0 if the value is exact.
    pub standard_error: f64,
}

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

/// What is expected of a count.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Number of boards.
    pub solutions: Estimated,
    /// Nodes of the backtrack tree.
    pub nodes: Estimated,
    /// Number of descents.
    pub samples: u64,
    /// Rows that a descent fills.
    pub depth: u32,
    /// The algorithm whose units were timed.
    pub algorithm: Algorithm,
    /// The kernel of its hot loops.
    pub kernel: Kernel,
    /// Threads that counted, and that the time is for.
    pub threads: usize,
    /// Number of units of the count; `None` if this machine lacks the memory for one.
    pub units: Option<u64>,
    /// The least memory that the threads need, as far as it is more than a few kilobytes each.
    pub least_memory: u64,
    /// How long it would take.
    pub time: TimeEstimate,
    /// Time that the estimate took.
    pub elapsed: Duration,
}

/// Estimates the number of boards of `problem`, and the time that counting them with `algorithm` and
/// `kernel` (or the best) takes on `threads` threads, in about `time`.
///
/// # Errors
/// [`Error::KernelMissing`], [`Error::Unsupported`], [`Error::MemoryTooSmall`], [`Error::ThreadCount`], [`Error::ThreadStart`], [`Error::Stopped`].
pub fn estimate(
    problem: &Problem,
    algorithm: Option<Algorithm>,
    kernel: Option<Kernel>,
    threads: usize,
    time: Duration,
    stop: &Stop,
) -> Result<Estimate, Error> {
    if problem.is_toroidal() {
        return Err(Error::Unsupported { what: "an estimate for a toroidal board" });
    }
    let started = Instant::now();
    let threads = threads_for(threads, u64::MAX)?;
    let memory = default_memory() / threads as u64;
    let algorithm = algorithm.unwrap_or_else(|| Algorithm::auto(problem, memory).0);
    let kernel = algorithm.kernel(problem, kernel)?;
    let execution = Execution { algorithm, threads, observer: &(), stop };
    let settings = Settings { depth: None, kernel, memory };
    let units = algorithm.counter(problem, &settings).ok().map(|counter| counter.units());
    let least_memory = algorithm.least_memory(problem) * threads as u64;
    let timing = Timing { execution: &execution, settings, time: time / 2 };
    let timed = timing.time_boards(problem)?;
    let left = time.saturating_sub(started.elapsed()).max(time / 4);
    let descents = Descents::plan(problem, Kernel::best(), threads, left);
    execution.run(&descents, 0..descents.samples)?;
    let (solutions, nodes) = descents.result();
    let time = timed.whole(problem.n(), nodes.value, &execution);
    let Descents { samples, depth, .. } = descents;
    let elapsed = started.elapsed();
    Ok(Estimate {
        solutions,
        nodes,
        samples,
        depth,
        algorithm,
        kernel,
        threads,
        units,
        least_memory,
        time,
        elapsed,
    })
}

/// Sums from which mean and standard error follow.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Takes a sample. (B. P. Welford's way: sums of squares would lose all digits.)
    fn add(&mut self, sample: f64) {
        self.count += 1.0;
        let distance = sample - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (sample - self.mean);
    }

    fn estimated(self) -> Estimated {
        let variance = self.squares / (self.count - 1.0).max(1.0);
        Estimated { value: self.mean, standard_error: (variance / self.count.max(1.0)).sqrt() }
    }
}

/// Random descents as units, so that threads can share them. What they find is summed here, since a
/// weight passes 64 bits.
struct Descents<'a> {
    problem: &'a Problem,
    kernel: Kernel,
    depth: u32,
    samples: u64,
    seed: u64,
    found: Mutex<(Moments, Moments)>,
}

/// At least this many descents are made if the time allows it, and this many to find the depth.
const SAMPLES: u32 = 5000;
const TRIALS: u64 = 50;

impl<'a> Descents<'a> {
    /// Decides how deep to descend, and how often, for `threads` threads to be busy for `time`.
    fn plan(problem: &'a Problem, kernel: Kernel, threads: usize, time: Duration) -> Self {
        let started = Instant::now();
        let new = |depth, samples| Self {
            problem,
            kernel,
            depth,
            samples,
            seed: fastrand::u64(..),
            found: Mutex::default(),
        };
        let per_sample = time * threads as u32 / SAMPLES;
        let mut depth = problem.n();
        let mut mean = Duration::ZERO;
        // Each row less takes up to ten times longer, so the trials cost little more than the last.
        loop {
            let trials = new(depth, TRIALS);
            let begun = Instant::now();
            let mut worker = trials.worker();
            (0..TRIALS).for_each(|index| _ = worker(index));
            mean = mean.max(begun.elapsed() / TRIALS as u32);
            if depth == 0 || mean * 8 > per_sample || started.elapsed() > time / 8 {
                break;
            }
            depth -= 1;
        }
        let left = time.saturating_sub(started.elapsed()).as_secs_f64() * threads as f64;
        let samples = left / mean.as_secs_f64().max(1e-7);
        // Without a descent there is nothing random.
        new(depth, if depth == 0 { 1 } else { (samples as u64).max(2) })
    }

    /// Solutions and nodes that the descent with number `index` stands for.
    fn descend(&self, index: u64, count: &mut impl FnMut(Prefix) -> Tally) -> (f64, f64) {
        let mut random = fastrand::Rng::with_seed(self.seed.wrapping_add(index));
        let mut prefix = Prefix::default();
        let (mut weight, mut nodes) = (1.0, 0.0);
        for &row in &self.problem.rows()[..self.depth as usize] {
            nodes += weight;
            let free = prefix.attacks.free(row);
            let choices = free.count_ones();
            if choices == 0 {
                return (0.0, nodes);
            }
            let queen = bits(free).nth(random.u32(..choices) as usize);
            prefix = prefix.place(queen.expect("the choice is below their number"));
            weight *= f64::from(choices);
        }
        let below = count(prefix);
        (weight * below.solutions as f64, nodes + weight * below.work as f64)
    }

    fn result(&self) -> (Estimated, Estimated) {
        let (solutions, nodes) = *self.found.lock().unwrap_or_else(PoisonError::into_inner);
        (solutions.estimated(), nodes.estimated())
    }
}

impl Counter for Descents<'_> {
    fn units(&self) -> u64 {
        self.samples
    }

    fn worker(&self) -> Worker<'_> {
        let mut count = completions(self.problem, self.kernel);
        Box::new(move |index| {
            let (solutions, nodes) = self.descend(index, &mut count);
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.0.add(solutions);
            found.1.add(nodes);
            Some(Tally::default())
        })
    }
}

/// Times units.
struct Timing<'a> {
    execution: &'a Execution<'a>,
    settings: Settings,
    time: Duration,
}

/// What timing units of one board has shown.
#[derive(Debug, Clone, Copy, Default)]
struct Timed {
    n: u32,
    units: u64,
    /// Thread time of the whole count.
    seconds: f64,
    /// Work per second of a thread.
    rate: f64,
}

impl Timed {
    /// The time of the board of `n` rows, whose backtrack tree has `nodes` nodes.
    fn whole(&self, n: u32, nodes: f64, execution: &Execution<'_>) -> TimeEstimate {
        let whole = if self.units == 0 {
            // No unit at all, so no time.
            0.0
        } else if execution.algorithm.work() == Work::Nodes {
            nodes / self.rate.max(1.0)
        } else {
            let steps = (self.n + 2..=n).step_by(2);
            self.seconds * steps.map(|n| growth(execution.algorithm, n)).product::<f64>()
        };
        TimeEstimate {
            seconds: whole / execution.threads as f64,
            timed_board: self.n,
            timed_units: self.units,
        }
    }
}

/// About how many times longer the board of `n` rows takes than the one two rows smaller. For the join
/// measured up to 24 on one thread with AVX-512, and carried on to the growth of nodes, which bounds
/// it; smaller boards grow less, since most of their time is not spent on pairs.
fn growth(algorithm: Algorithm, n: u32) -> f64 {
    match (algorithm.work(), n) {
        (Work::Nodes, _) => 75.0,
        (Work::Pairs, ..=18) => 28.0,
        (Work::Pairs, 19..=20) => 31.0,
        (Work::Pairs, 21..=22) => 35.0,
        (Work::Pairs, 23..=24) => 48.0,
        (Work::Pairs, 25..=26) => 55.0,
        (Work::Pairs, _) => 65.0,
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

/// A board is timed if one of its units takes no more than one part in so many of the time left.
const UNIT_PARTS: f64 = 4.0;

/// A board on the way to the largest gets one part in so many of the time left, and no more units than
/// this.
const FEW_PARTS: f64 = 10.0;
const FEW_UNITS: u64 = 500;

/// The largest board gets no more units than this.
const MANY_UNITS: u64 = 20_000;

impl Timing<'_> {
    /// Times units of larger and larger boards, up to that of `problem` if the time allows it, and
    /// more of them on the largest.
    fn time_boards(&self, problem: &Problem) -> Result<Timed, Error> {
        let started = Instant::now();
        let left = || self.time.saturating_sub(started.elapsed()).as_secs_f64();
        let n = problem.n();
        let mut last = Timed::default();
        let mut largest = None;
        // Given queens make smaller boards another problem, so there are none to begin with.
        let first = if problem.queens().is_empty() { FIRST + n % 2 } else { n };
        for size in (first.min(n)..=n).step_by(2) {
            let board = if size == n { problem.clone() } else { Problem::new(size)? };
            let counter = match self.execution.algorithm.counter(&board, &self.settings) {
                Ok(counter) => counter,
                Err(error) if last.n == 0 && size == n => return Err(error),
                // Too small for the algorithm: try a larger one. Too large for the memory: no further.
                Err(_) if last.n == 0 => continue,
                Err(_) => break,
            };
            let seconds = growth(self.execution.algorithm, size) * last.seconds;
            let unit = seconds / counter.units() as f64;
            if counter.units() == 0 || last.n > 0 && unit > left() / UNIT_PARTS {
                break;
            }
            last = self.time_units(size, &*counter, self.execution.threads as u64)?;
            let more = self.affordable(&last, &*counter, left() / FEW_PARTS);
            if more > last.units {
                last = self.time_units(size, &*counter, more.min(FEW_UNITS))?;
            }
            largest = Some(counter);
        }
        if let Some(counter) = largest {
            let more = self.affordable(&last, &*counter, left());
            if more > last.units {
                last = self.time_units(last.n, &*counter, more.min(MANY_UNITS))?;
            }
        }
        Ok(last)
    }

    /// Number of units that can be timed in `seconds`.
    fn affordable(&self, timed: &Timed, counter: &dyn Counter, seconds: f64) -> u64 {
        let unit = timed.seconds / counter.units() as f64;
        (seconds * self.execution.threads as f64 / unit.max(1e-6)) as u64
    }

    /// Times `samples` random units of `counter`.
    fn time_units(&self, n: u32, counter: &dyn Counter, samples: u64) -> Result<Timed, Error> {
        let took = Took::default();
        let random = (0..samples).map(|_| fastrand::u64(..counter.units()));
        Execution { observer: &took, ..*self.execution }.run(counter, random)?;
        let (seconds, work) = took.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mean = seconds / samples as f64;
        Ok(Timed {
            n,
            units: samples,
            seconds: mean * counter.units() as f64,
            rate: work / seconds.max(1e-9),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;

    fn all_descents(problem: &Problem, depth: u32) -> (f64, f64) {
        // Every position of `depth` rows, weighed by its probability times its weight: by 1.
        let mut count = completions(problem, Kernel::Portable);
        let mut prefixes = vec![Prefix::default()];
        let mut nodes = 0.0;
        for &row in &problem.rows()[..depth as usize] {
            nodes += prefixes.len() as f64;
            let below = prefixes
                .iter()
                .flat_map(|prefix| bits(prefix.attacks.free(row)).map(|queen| prefix.place(queen)));
            prefixes = below.collect();
        }
        prefixes.into_iter().map(&mut count).fold((0.0, nodes), |sum, tally| {
            (sum.0 + tally.solutions as f64, sum.1 + tally.work as f64)
        })
    }

    #[test]
    fn descents_are_unbiased_at_every_depth() {
        let problem = Problem::new(8).unwrap();
        for depth in 0..=8 {
            assert_eq!(all_descents(&problem, depth), (92.0, 2057.0));
            let descents = Descents {
                problem: &problem,
                kernel: Kernel::best(),
                depth,
                samples: 20_000,
                seed: 1,
                found: Mutex::default(),
            };
            let mut worker = descents.worker();
            (0..descents.samples).for_each(|index| _ = worker(index));
            let (solutions, nodes) = descents.result();
            for (found, right) in [(solutions, 92.0), (nodes, 2057.0)] {
                let distance = (found.value - right).abs();
                assert!(distance <= 4.0 * found.standard_error + 1e-6, "{depth}: {found:?}");
                assert!(found.standard_error < 0.1 * right);
            }
        }
    }

    #[test]
    fn estimates_of_known_boards_are_near() {
        for n in [0, 1, 2, 3, 4, 8, 13, 20] {
            let problem = Problem::new(n).unwrap();
            let time = Duration::from_millis(300);
            let kernel = Kernel::best();
            let (threads, stop) = (2, Stop::new());
            let found = estimate(&problem, None, Some(kernel), threads, time, &stop).unwrap();
            let known = known::solutions(n).unwrap() as f64;
            let distance = (found.solutions.value - known).abs();
            assert!(distance <= 6.0 * found.solutions.standard_error + 1e-6, "{n}: {found:?}");
            assert!(found.solutions.standard_error <= 0.3 * known, "{n}: {found:?}");
            assert!(found.elapsed < Duration::from_secs(3), "{n}: {found:?}");
            assert!(
                found.time.seconds.is_finite() && (n == 2 || n == 3 || found.time.timed_units > 0)
            );
        }
    }

    #[test]
    fn the_largest_board_takes_no_longer() {
        let problem = Problem::new(32).unwrap();
        for algorithm in Algorithm::ALL {
            let (time, stop) = (Duration::from_millis(500), Stop::new());
            let found = estimate(&problem, Some(algorithm), None, 2, time, &stop).unwrap();
            assert!(found.elapsed < Duration::from_secs(5), "{algorithm}: {found:?}");
            assert!(found.solutions.value > 1e20 && found.time.seconds > 1e9, "{found:?}");
        }
    }
}
