//! The number of boards, from random descents.
//!
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

use std::time::{Duration, Instant};

use crate::attacks::bits;
use crate::counter::completions;
use crate::error::Error;
use crate::execute::Execution;
use crate::kernel::Kernel;
use crate::problem::Problem;
use crate::split::prefix::Prefix;
use crate::tally::Tally;

/// A mean of samples.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Mean {
    /// The mean: unbiased.
    pub value: f64,
    /// Its standard error; 0 if the value is exact.
    pub standard_error: f64,
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

    /// Takes the samples of `other`. (T. F. Chan, G. H. Golub, R. J. LeVeque 1979.)
    fn merge(&mut self, other: Self) {
        let count = self.count + other.count;
        if count > 0.0 {
            let distance = other.mean - self.mean;
            self.squares += other.squares + distance * distance * self.count * other.count / count;
            self.mean += distance * other.count / count;
            self.count = count;
        }
    }

    fn mean(self) -> Mean {
        let variance = self.squares / (self.count - 1.0).max(1.0);
        Mean { value: self.mean, standard_error: (variance / self.count.max(1.0)).sqrt() }
    }
}

/// What descents have found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    solutions: Moments,
    nodes: Moments,
}

impl Found {
    fn add(&mut self, solutions: f64, nodes: f64) {
        self.solutions.add(solutions);
        self.nodes.add(nodes);
    }

    fn merge(&mut self, other: Self) {
        self.solutions.merge(other.solutions);
        self.nodes.merge(other.nodes);
    }

    /// The estimated number of boards.
    pub(super) fn solutions(&self) -> Mean {
        self.solutions.mean()
    }

    /// The estimated number of nodes.
    pub(super) fn nodes(&self) -> Mean {
        self.nodes.mean()
    }
}

/// Random descents, numbered, so that threads can share them.
#[derive(Debug)]
pub(super) struct Descents<'a> {
    problem: &'a Problem,
    kernel: Kernel,
    /// Rows that a descent fills.
    pub(super) depth: u32,
    /// Number of descents.
    pub(super) samples: u64,
    seed: u64,
}

/// At least this many descents are made if the time allows it, and this many to find the depth.
const SAMPLES: u32 = 5000;
const TRIALS: u64 = 50;

impl<'a> Descents<'a> {
    /// Decides how deep to descend, and how often, for `threads` threads to be busy for `time`.
    pub(super) fn plan(
        problem: &'a Problem,
        kernel: Kernel,
        threads: usize,
        time: Duration,
    ) -> Self {
        let started = Instant::now();
        let new =
            |depth, samples| Self { problem, kernel, depth, samples, seed: fastrand::u64(..) };
        let per_sample = time.saturating_mul(threads as u32) / SAMPLES;
        let mut depth = problem.n();
        let mut mean = Duration::ZERO;
        // Each row less takes up to ten times longer, so the trials cost little more than the last.
        loop {
            let begun = Instant::now();
            new(depth, TRIALS).make_alone();
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

    /// Makes all descents.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::ThreadStart`].
    pub(super) fn make(&self, execution: &Execution<'_>) -> Result<Found, Error> {
        let worker = || {
            let mut count = completions(self.problem, self.kernel);
            move |found: &mut Found, index| {
                let (solutions, nodes) = self.descend(index, &mut count);
                found.add(solutions, nodes);
                Ok(())
            }
        };
        let mut all = Found::default();
        execution.run(0..self.samples, worker)?.into_iter().for_each(|found| all.merge(found));
        Ok(all)
    }

    /// Makes all descents on the caller's thread.
    fn make_alone(&self) -> Found {
        let mut count = completions(self.problem, self.kernel);
        let mut found = Found::default();
        for index in 0..self.samples {
            let (solutions, nodes) = self.descend(index, &mut count);
            found.add(solutions, nodes);
        }
        found
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let kernel = Kernel::best();
            let descents = Descents { problem: &problem, kernel, depth, samples: 20_000, seed: 1 };
            let found = descents.make_alone();
            for (found, right) in [(found.solutions(), 92.0), (found.nodes(), 2057.0)] {
                let distance = (found.value - right).abs();
                assert!(distance <= 4.0 * found.standard_error + 1e-6, "{depth}: {found:?}");
                assert!(found.standard_error < 0.1 * right);
            }
        }
    }

    #[test]
    fn merged_moments_are_those_of_all_samples() {
        let samples: Vec<f64> = (0..100).map(|i| f64::from(i * i % 17)).collect();
        let of = |samples: &[f64]| {
            let mut moments = Moments::default();
            samples.iter().for_each(|&sample| moments.add(sample));
            moments
        };
        let whole = of(&samples).mean();
        for middle in [0, 1, 40, 100] {
            let (front, back) = samples.split_at(middle);
            let mut merged = of(front);
            merged.merge(of(back));
            assert!((merged.mean().value - whole.value).abs() < 1e-9);
            assert!((merged.mean().standard_error - whole.standard_error).abs() < 1e-9);
        }
    }
}
