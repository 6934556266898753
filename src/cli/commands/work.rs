//! `nqueens work`: counts tasks from standard input, or those of a board.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use nqueens::tasks::{LineError, Lines, ResultFile, Task, TaskCounter, TaskResult};
use nqueens::{Error, Observer};

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::{MachineArgs, is_digits, parse_size};
use crate::cli::progress::Progress;
use crate::cli::report::write_text;
use crate::cli::signals;
use crate::cli::tasks::{self, SplitArgs};
use crate::cli::wording::duration;

/// Counts tasks, and writes one line of JSON for each as soon as it is done.
///
/// Tasks come from standard input, as `nqueens plan` wrote them, or are those of N. Each is counted
/// on all threads. The first Ctrl-C finishes the units in hand and writes what is done of the task.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkArgs {
    /// Board size, from 0 to 32, instead of tasks on standard input
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_size)]
    n: Option<u32>,

    /// Only the I-th of K shares of the tasks, I from 1 to K: the I-th task, and every K-th after it
    #[arg(long, value_name = "I/K", allow_hyphen_values = true, value_parser = parse_share)]
    task: Option<Share>,

    /// Add results to this file instead of standard output, and leave out what it held at the start: the
    /// same command again resumes the work. `nqueens merge` adds such files up
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    split: SplitArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// One of several shares of the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    /// From 0.
    index: u64,
    of: u64,
}

fn parse_share(text: &str) -> Result<Share, String> {
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| is_digits(text));
    text.split_once('/')
        .and_then(|(index, of)| Some((number(index)?, number(of)?)))
        .filter(|(index, of)| (1..=*of).contains(index))
        .map(|(index, of)| Share { index: index - 1, of })
        .ok_or_else(|| {
            "a share is I/K with I from 1 to K, such as 3/10 for the third of ten".into()
        })
}

impl WorkArgs {
    pub(crate) fn run(
        &self,
        context: &Context,
        input: impl BufRead + IsTerminal,
        output: impl Write,
    ) -> Result<(), Failure> {
        let output = match &self.out {
            Some(file) => Output::File(Box::new(open(context, file)?)),
            None => Output::Stream(output),
        };
        let counter = tasks::counter(&self.machine, context.threads());
        let workplace = Workplace { context, counter, output, counted: 0, skipped: 0 };
        let Share { index, of } = self.task.unwrap_or(Share { index: 0, of: 1 });
        let (index, of) = (index as usize, of as usize);
        match self.n {
            Some(n) => {
                let tasks = self.split.plan(n)?.tasks().map(|task| Ok((None, task)));
                workplace.count(tasks.skip(index).step_by(of))
            }
            None if input.is_terminal() => {
                let example = "nqueens plan 16 | nqueens work > results.jsonl";
                let message = format!("tasks are read from standard input; example: {example}");
                Err(Failure::Usage(message))
            }
            None => {
                // What cannot be read concerns everybody: it is not known whose tasks it hides.
                let mine = tasks_of(input)
                    .enumerate()
                    .filter(|(place, task)| task.is_err() || place % of == index);
                workplace.count(mine.map(|(_, task)| task))
            }
        }
    }
}

/// Opens the file of results.
fn open(context: &Context, file: &Path) -> Result<ResultFile, Failure> {
    let results = ResultFile::open(file)?;
    if !results.is_locked() {
        context.unlocked(file);
    }
    Ok(results)
}

/// A task, and the number of its line if it was read.
type TaskOfLine = (Option<u64>, Task);

/// The tasks of `input`, one a line.
fn tasks_of(input: impl BufRead) -> impl Iterator<Item = Result<TaskOfLine, Failure>> {
    Lines::new(input).map(|line| {
        let (number, line) = line.map_err(Failure::input)?;
        let task = line.and_then(|line| Task::from_line(&line));
        Ok((Some(number), task.map_err(|error| in_line(number, &error))?))
    })
}

fn in_line(number: u64, error: &LineError) -> Failure {
    Failure::Usage(format!("line {number} of standard input {error}"))
}

/// Where results go.
enum Output<W> {
    Stream(W),
    File(Box<ResultFile>),
}

/// Counts tasks one after the other.
struct Workplace<'a, W> {
    context: &'a Context,
    counter: TaskCounter,
    output: Output<W>,
    counted: u64,
    /// Tasks that have a result already.
    skipped: u64,
}

impl<W: Write> Workplace<'_, W> {
    /// Counts tasks, each with the number of its line.
    fn count(
        mut self,
        tasks: impl Iterator<Item = Result<TaskOfLine, Failure>>,
    ) -> Result<(), Failure> {
        for task in tasks {
            let (line, task) = task?;
            let rest = match &self.output {
                Output::File(file) => file.rest(task)?,
                Output::Stream(_) => Some(task),
            };
            match rest {
                Some(task) => self.count_one(line, &task)?,
                None => self.skipped += 1,
            }
        }
        match (self.counted, self.skipped) {
            (0, 0) => self.context.note("no task, so nothing to count"),
            (_, 0) => {}
            (counted, skipped) => self.context.note(&format!(
                "{skipped} tasks had a result in the file, {counted} are counted now"
            )),
        }
        Ok(())
    }

    fn count_one(&mut self, line: Option<u64>, task: &Task) -> Result<(), Failure> {
        let graceful = signals::end_gracefully();
        let progress = Progress::new(self.context, task.run.n);
        let counted = self.counter.run(task, &progress, graceful.stop());
        progress.finish();
        let result = counted.map_err(|error| match (line, error) {
            (Some(line), Error::OtherUnits(mismatch)) => {
                in_line(line, &LineError::OtherUnits(mismatch))
            }
            (_, error) => error.into(),
        })?;
        if result.units() == task.units || !result.tallies.is_empty() {
            self.write(&result)?;
        }
        graceful.is_over();
        self.counted += 1;
        self.context.detail(&counted_text(&result));
        match graceful.signal() {
            0 => Ok(()),
            signal => Err(Failure::Signal(signal, stopped(task, &result))),
        }
    }

    /// Writes a result. If that fails, it goes to standard error, so that it is not lost.
    fn write(&mut self, result: &TaskResult) -> Result<(), Failure> {
        let written = match &mut self.output {
            Output::Stream(output) => write_text(output, &(result.to_line() + "\n")),
            Output::File(file) => file.append(result).map_err(Failure::from),
        };
        written.inspect_err(|failure| {
            // Who closes a pipe does not want it.
            if !matches!(failure, Failure::ClosedPipe) {
                let line = result.to_line();
                self.context.say(&format!("this result could not be written:\n{line}"));
            }
        })
    }
}

fn counted_text(result: &TaskResult) -> String {
    let units = result.units();
    format!(
        "N = {}: units {}..{} counted in {} ({}, {} threads)",
        result.run.n,
        units.start,
        units.end,
        duration(result.elapsed),
        result.kernel,
        result.threads
    )
}

fn stopped(task: &Task, result: &TaskResult) -> String {
    let (end, last) = (result.units().end, task.units.end);
    if end == last {
        return "stopped; results are written of every task that was begun".into();
    }
    format!(
        "stopped; units {end}..{last} of the task in hand are not counted: `merge` names them, and \
         `work --out` counts them next time"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(parse_share("1/1"), Ok(Share { index: 0, of: 1 }));
        assert_eq!(parse_share("3/10"), Ok(Share { index: 2, of: 10 }));
        for text in
            ["", "3", "0/3", "4/3", "0/0", "-1/3", "+1/3", "1/", "/3", "a/b", "1/3/5", "1 /3"]
        {
            assert!(parse_share(text).is_err(), "{text:?}");
        }
    }
}
