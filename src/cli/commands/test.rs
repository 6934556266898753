//! `nqueens test`: every algorithm and kernel of this CPU against the known counts.

use std::io::Write;
use std::time::Instant;

use nqueens::{Algorithm, Count, Error, Kernel, Problem, known};

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::parse_size;
use crate::cli::report::write_text;

/// Count with every algorithm and kernel of this CPU, and compare with the known values
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TestArgs {
    /// The largest board; the slow algorithms stop earlier
    #[arg(long, value_name = "N", default_value = "14", allow_negative_numbers = true, value_parser = parse_size)]
    up_to: u32,
}

/// The largest boards for which the slow algorithms take about a second.
const SLOW: [(Algorithm, u32); 2] = [(Algorithm::Naive, 11), (Algorithm::Arrays, 12)];

impl TestArgs {
    /// Writes a line per algorithm and kernel, and says at the end what was wrong.
    pub(crate) fn run(&self, context: &Context, mut output: impl Write) -> Result<(), Failure> {
        write_text(&mut output, &line("algorithm", "kernel", "boards", "seconds", "result"))?;
        let mut wrong = Vec::new();
        for &algorithm in Algorithm::ALL {
            for &kernel in kernels(algorithm) {
                let (line, misses) = self.try_out(algorithm, kernel, context.threads())?;
                write_text(&mut output, &line)?;
                let name = |miss| format!("{algorithm} ({kernel}): {miss}");
                wrong.extend(misses.into_iter().map(name));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Failure::WrongResult(wrong.join("; "))) }
    }

    /// The line of an algorithm and kernel, and what was counted wrong.
    fn try_out(
        &self,
        algorithm: Algorithm,
        kernel: Kernel,
        threads: usize,
    ) -> Result<(String, Vec<String>), Failure> {
        let boards = self.boards(algorithm)?;
        let range = match boards.as_slice() {
            [] => "none".into(),
            [first, ..] => format!("{first}..={}", self.last(algorithm)),
        };
        let line = |seconds: &str, result: &str| {
            line(algorithm.name(), kernel.name(), &range, seconds, result)
        };
        if !kernel.is_available() {
            let result = match kernel.missing() {
                missing if missing.is_empty() => {
                    format!("skipped: {} does not allow it", Kernel::VARIABLE)
                }
                missing => format!("skipped: this CPU lacks {}", missing.join(", ")),
            };
            return Ok((line("", &result), Vec::new()));
        }
        let started = Instant::now();
        let misses = misses(algorithm, kernel, &boards, threads)?;
        let result = if misses.is_empty() { "right".into() } else { misses.join("; ") };
        let seconds = format!("{:.3}", started.elapsed().as_secs_f64());
        Ok((line(&seconds, &result), misses))
    }

    /// The largest board to be tried.
    fn last(&self, algorithm: Algorithm) -> u32 {
        let slow = SLOW.into_iter().find(|&(slow, _)| slow == algorithm);
        slow.map_or(self.up_to, |(_, last)| last.min(self.up_to))
    }

    /// The boards that the algorithm can count and whose count is known.
    fn boards(&self, algorithm: Algorithm) -> Result<Vec<u32>, Failure> {
        let mut boards = Vec::new();
        for n in 0..=self.last(algorithm) {
            let problem = problem(algorithm, n)?;
            if algorithm.supports(&problem) && known::of(&problem).is_some() {
                boards.push(n);
            }
        }
        Ok(boards)
    }
}

/// The board of `n` rows that `algorithm` is made for.
fn problem(algorithm: Algorithm, n: u32) -> Result<Problem, Error> {
    if algorithm == Algorithm::Toroidal { Problem::toroidal(n) } else { Problem::new(n) }
}

fn line(algorithm: &str, kernel: &str, boards: &str, seconds: &str, result: &str) -> String {
    format!("{algorithm:<10}{kernel:<10}{boards:<10}{seconds:>9}  {result}\n")
}

/// The kernels that there are of `algorithm`, whether this CPU can run them or not.
fn kernels(algorithm: Algorithm) -> &'static [Kernel] {
    if algorithm.has_kernels() { Kernel::ALL } else { &[Kernel::Portable] }
}

/// What was counted wrong.
fn misses(
    algorithm: Algorithm,
    kernel: Kernel,
    boards: &[u32],
    threads: usize,
) -> Result<Vec<String>, Failure> {
    let mut misses = Vec::new();
    for &n in boards {
        let problem = problem(algorithm, n)?;
        let count = Count::of(problem.clone()).algorithm(algorithm).kernel(kernel);
        let solutions = count.threads(threads).run()?.solutions;
        if let Err(Error::NotAsPublished { known, .. }) = known::check(&problem, solutions) {
            misses.push(format!("N = {n} gave {solutions}, not {known}"));
        }
    }
    Ok(misses)
}
