//! Counting for the commands: doubted, checked, and saved if there is a file for that.

use std::path::{Path, PathBuf};

use nqueens::known::{self, Known};
use nqueens::{Algorithm, Classes, Count, Error, Kernel, Outcome, Problem, Stop};

use super::context::Context;
use super::failure::Failure;
use super::progress::Progress;
use super::report::{self, Counted};
use super::signals;
use super::wording::shown;

/// How to count. The default is the fastest way, once, and without a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// The algorithm; `None` for the fastest.
    pub(crate) algorithm: Option<Algorithm>,
    /// Instructions of the hot loops; `None` for the best that this CPU has.
    pub(crate) kernel: Option<Kernel>,
    /// The most memory that the join may take, in bytes.
    pub(crate) memory_bytes: Option<u64>,
    /// The file that keeps every counted unit.
    pub(crate) checkpoint: Option<PathBuf>,
    /// Whether the number is wanted up to rotation and reflection.
    pub(crate) fundamental: bool,
    /// Whether to count again with another algorithm.
    pub(crate) double_check: bool,
    /// Whether to say how long it took.
    pub(crate) time: bool,
}

/// Counts boards with the same settings, one after the other.
pub(crate) struct Counting<'a> {
    context: &'a Context,
    settings: Settings,
}

impl<'a> Counting<'a> {
    pub(crate) fn new(context: &'a Context, settings: Settings) -> Self {
        Self { context, settings }
    }

    /// Counts the boards of `problem`, of the kind asked for.
    pub(crate) fn count(&self, problem: &Problem) -> Result<Counted, Failure> {
        let outcome = self.count_all(problem)?;
        let (kind, count) = match () {
            () if self.settings.fundamental => ("fundamental", classes(&outcome)?.fundamental()),
            () if problem.is_toroidal() => ("toroidal", outcome.solutions),
            () if !problem.queens().is_empty() => ("placed", outcome.solutions),
            () => ("all", outcome.solutions),
        };
        Ok(Counted { outcome, kind, count })
    }

    /// The classes of boards up to rotation and reflection.
    pub(crate) fn classes(&self, problem: &Problem) -> Result<Classes, Failure> {
        classes(&self.count_all(problem)?)
    }

    /// Solutions by the column of the first row's queen. A column and its mirror image have the
    /// same number, so the right half of the board is not counted again.
    pub(crate) fn divide(&self, problem: &Problem) -> Result<Vec<u128>, Failure> {
        if self.settings.algorithm == Some(Algorithm::Join) {
            let message =
                "a join with given queens cannot be had, and --divide gives them in row 1";
            return Err(Failure::Usage(message.into()));
        }
        let n = problem.n();
        let searched = if problem.is_mirror_symmetric() { n.div_ceil(2) } else { n };
        let mut columns = Vec::new();
        for column in 0..searched {
            columns.push(self.count_with_first_queen(problem, column)?);
        }
        let mirrored = columns[..(n - searched) as usize].iter().rev().copied();
        columns.extend(mirrored.collect::<Vec<_>>());
        // The board without rows has one solution, and no column.
        if n > 0 {
            check(self.context, problem, columns.iter().sum())?;
        }
        Ok(columns)
    }

    /// Solutions of `problem` with the first row's queen in `column`.
    fn count_with_first_queen(&self, problem: &Problem, column: u32) -> Result<u128, Failure> {
        if !problem.allows(0, column) {
            return Ok(0);
        }
        let given = problem.queens().contains(&(0, column));
        let problem = problem.clone();
        let problem = if given { problem } else { problem.with_queen(0, column)? };
        Ok(self.count_all(&problem)?.solutions)
    }

    /// Counts, twice and in different ways if that was asked for, and checks the result.
    fn count_all(&self, problem: &Problem) -> Result<Outcome, Failure> {
        let Settings { algorithm, checkpoint, double_check, .. } = &self.settings;
        let outcome = self.count_once(problem, *algorithm, checkpoint.as_deref())?;
        if *double_check {
            let other = outcome.algorithm.another(problem);
            compare(&outcome, &self.count_once(problem, Some(other), None)?)?;
            self.context
                .detail(&format!("N = {}: {} and {other} agree", outcome.n, outcome.algorithm));
        }
        check(self.context, problem, outcome.solutions)?;
        Ok(outcome)
    }

    fn count_once(
        &self,
        problem: &Problem,
        algorithm: Option<Algorithm>,
        checkpoint: Option<&Path>,
    ) -> Result<Outcome, Failure> {
        let n = problem.n();
        let progress = match &self.settings.checkpoint {
            None => Progress::new(self.context, n),
            Some(_) => Progress::of_long_run(self.context, n),
        };
        let mut count = self.prepare(problem, algorithm, checkpoint).observer(&progress);
        if self.context.verbose {
            let (algorithm, reason) = count.choice()?;
            self.context.detail(&format!("N = {n}: algorithm {algorithm}: {reason}"));
        }
        let outcome = match checkpoint {
            None => count.run()?,
            Some(file) => self.run_with_checkpoint(count, file, &progress)?,
        };
        progress.finish();
        if self.settings.time {
            self.context.say(&report::time(&outcome));
        }
        Ok(outcome)
    }

    /// The count as the library takes it.
    fn prepare(
        &self,
        problem: &Problem,
        algorithm: Option<Algorithm>,
        checkpoint: Option<&Path>,
    ) -> Count<'static> {
        let mut count = Count::of(problem.clone()).threads(self.context.threads());
        if let Some(algorithm) = algorithm {
            count = count.algorithm(algorithm);
        }
        if let Some(kernel) = self.settings.kernel {
            count = count.kernel(kernel);
        }
        if let Some(bytes) = self.settings.memory_bytes {
            count = count.memory(bytes);
        }
        if let Some(file) = checkpoint {
            count = count.checkpoint(file);
        }
        count
    }

    /// Runs a count that keeps its units in `file`. A signal ends that after the units in hand, and
    /// the way to resume it is told.
    fn run_with_checkpoint(
        &self,
        count: Count<'_>,
        file: &Path,
        progress: &Progress<'_>,
    ) -> Result<Outcome, Failure> {
        let graceful = signals::end_gracefully();
        let counted = count.stop(graceful.stop()).run();
        graceful.is_over();
        progress.finish();
        match counted {
            Err(Error::Stopped) => {
                let message = self.stopped(file, progress.is_saving_in_vain());
                Err(Failure::Signal(graceful.signal(), message))
            }
            counted => Ok(counted?),
        }
    }

    /// What is said when a signal stopped a count: how to resume it with the same question.
    fn stopped(&self, file: &Path, saving_in_vain: bool) -> String {
        let Settings { fundamental, double_check, .. } = self.settings;
        let fundamental = if fundamental { " --fundamental" } else { "" };
        let twice = if double_check { " --double-check" } else { "" };
        let resume = format!("resume it with: nqueens resume {}{fundamental}{twice}", quoted(file));
        match saving_in_vain {
            true => format!(
                "stopped; what was counted last could not be saved to {}; `nqueens status` says what \
                 is in it",
                shown(file)
            ),
            false => format!("stopped and saved; {resume}"),
        }
    }
}

fn classes(outcome: &Outcome) -> Result<Classes, Failure> {
    Ok(Classes::of(outcome.n, outcome.solutions, &Stop::new())?)
}

/// Compares two counts of the same boards.
fn compare(one: &Outcome, other: &Outcome) -> Result<(), Error> {
    if one.solutions == other.solutions {
        return Ok(());
    }
    Err(Error::CountsDiffer {
        n: one.n,
        one: one.algorithm,
        counted: one.solutions,
        other: other.algorithm,
        recounted: other.solutions,
    })
}

/// Doubts a result before it is printed, and says what it was compared with.
pub(crate) fn check(context: &Context, problem: &Problem, solutions: u128) -> Result<(), Error> {
    let n = problem.n();
    match known::check(problem, solutions)? {
        Known::Equal { sequence } => context.detail(&format!("N = {n}: equals OEIS {sequence}")),
        Known::Unpublished => context.note(&format!("N = {n}: no published value to compare with")),
        _ => {}
    }
    Ok(())
}

/// A file name as a shell takes it.
fn quoted(file: &Path) -> String {
    let name = file.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+=:,@%".contains(c);
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with('-') {
        return name;
    }
    let dashes = if name.starts_with('-') { "-- " } else { "" };
    format!("{dashes}'{}'", name.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_results_are_noticed() {
        let context = Context::for_tests();
        let problem = Problem::new(8).unwrap();
        assert!(check(&context, &problem, 92).is_ok());
        assert!(matches!(check(&context, &problem, 91), Err(Error::NotAsPublished { .. })));

        let counting = Counting::new(&context, Settings::default());
        let right = counting.count_once(&problem, None, None).unwrap();
        let mut wrong = right.clone();
        wrong.solutions += 1;
        assert!(compare(&right, &right).is_ok());
        assert!(matches!(compare(&right, &wrong), Err(Error::CountsDiffer { .. })));
    }

    #[test]
    fn file_names_for_a_shell() {
        assert_eq!(quoted(Path::new("q22.nq")), "q22.nq");
        assert_eq!(quoted(Path::new("my run's.nq")), "'my run'\\''s.nq'");
        assert_eq!(quoted(Path::new("-x")), "-- '-x'");
    }
}
