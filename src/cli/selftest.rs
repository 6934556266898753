//! `nqueens test`: every algorithm and kernel of this CPU against the known counts.

use std::io::Write;
use std::time::Instant;

use clap::Args as ClapArgs;
use nqueens::{Algorithm, Count, Kernel, Problem, known};

use super::Failure;
use super::args::parse_size;

/// Count with every algorithm and kernel of this CPU, and compare with the known values
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct TestArgs {
    /// The largest board; the slow algorithms stop earlier
    #[arg(long, value_name = "N", default_value = "14", allow_negative_numbers = true, value_parser = parse_size)]
    up_to: u32,
}

/// The largest boards for which the slow algorithms take about a second.
const SLOW: [(Algorithm, u32); 2] = [(Algorithm::Naive, 11), (Algorithm::Arrays, 12)];

/// Writes a line per algorithm and kernel, and says at the end what was wrong.
pub(crate) fn run(args: &TestArgs, threads: usize, mut output: impl Write) -> Result<(), Failure> {
    writeln!(
        output,
        "{:<10}{:<10}{:<10}{:>9}  result",
        "algorithm", "kernel", "boards", "seconds"
    )?;
    let mut wrong = Vec::new();
    for algorithm in Algorithm::ALL {
        let kernels =
            if algorithm.has_kernels() { Kernel::ALL.as_slice() } else { &[Kernel::Portable] };
        for &kernel in kernels {
            let slow = SLOW.into_iter().find(|&(slow, _)| slow == algorithm);
            let last = slow.map_or(args.up_to, |(_, last)| last.min(args.up_to));
            let boards = boards(algorithm, last)?;
            let range = boards.first().map_or("none".into(), |first| format!("{first}..={last}"));
            write!(output, "{algorithm:<10}{kernel:<10}{range:<10}")?;
            if !kernel.is_available() {
                writeln!(
                    output,
                    "{:>9}  skipped: this CPU lacks {}",
                    "",
                    kernel.missing().join(", ")
                )?;
                continue;
            }
            let started = Instant::now();
            let misses = misses(algorithm, kernel, &boards, threads)?;
            let result = if misses.is_empty() { "right".into() } else { misses.join("; ") };
            writeln!(output, "{:>9.3}  {result}", started.elapsed().as_secs_f64())?;
            output.flush()?;
            wrong.extend(misses.into_iter().map(|miss| format!("{algorithm} ({kernel}): {miss}")));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::WrongResult(wrong.join("; "))) }
}

/// The boards up to `last` that the algorithm can count and whose count is known.
fn boards(algorithm: Algorithm, last: u32) -> Result<Vec<u32>, Failure> {
    let mut boards = Vec::new();
    for n in 0..=last {
        if algorithm.supports(&Problem::new(n)?) && known::solutions(n).is_some() {
            boards.push(n);
        }
    }
    Ok(boards)
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
        let counted = Count::new(n)?.algorithm(algorithm).kernel(kernel).threads(threads).run()?;
        if let Some(known) = known::solutions(n).filter(|&known| counted.solutions != known.into())
        {
            misses.push(format!("N = {n} gave {}, not {known}", counted.solutions));
        }
    }
    Ok(misses)
}
