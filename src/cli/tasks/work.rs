//! Counts tasks from standard input, or those of a board.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use nqueens::Error;
use nqueens::tasks::{LineError, Lines, Task, TaskCounter, TaskResult};

use super::super::args::{self, Args};
use super::super::progress::{Progress, duration};
use super::super::{Failure, report, signals};
use super::file::ResultFile;
use super::{MachineArgs, SplitArgs};

/// Counts tasks, and writes one line of JSON for each as soon as it is done.
///
/// Tasks come from standard input, as `nqueens plan` wrote them, or are those of N. Each is counted
/// on all threads. The first Ctrl-C finishes the units in hand and writes what is done of the task.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkArgs {
    /// Board size, from 0 to 32, instead of tasks on standard input
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
    n: Option<u32>,

    /// Only the I-th of K shares of the tasks, I from 1 to K: the I-th task, and every K-th after it
    #[arg(long, value_name = "I/K", allow_hyphen_values = true, value_parser = parse_share)]
    task: Option<Share>,

    /// Add results to this file instead of standard output, and leave out what it held at the start: the
    /// same command again goes on. `nqueens merge` adds such files up
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
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| digits(text));
    text.split_once('/')
        .and_then(|(index, of)| Some((number(index)?, number(of)?)))
        .filter(|(index, of)| (1..=*of).contains(index))
        .map(|(index, of)| Share { index: index - 1, of })
        .ok_or_else(|| {
            "a share is I/K with I from 1 to K, such as 3/10 for the third of ten".into()
        })
}

pub(crate) fn work(
    args: &Args,
    work: &WorkArgs,
    threads: usize,
    input: impl BufRead + IsTerminal,
    output: impl Write,
) -> Result<(), Failure> {
    let output = match &work.out {
        Some(file) => Output::File(Box::new(ResultFile::open(file)?)),
        None => Output::Stream(output),
    };
    let counter = work.machine.counter(threads);
    let workplace = Workplace { args, counter, output, counted: 0, skipped: 0 };
    let Share { index, of } = work.task.unwrap_or(Share { index: 0, of: 1 });
    let (index, of) = (index as usize, of as usize);
    match work.n {
        Some(n) => {
            let tasks = work.split.plan(n)?.tasks().map(|task| Ok((None, task)));
            workplace.count(tasks.skip(index).step_by(of))
        }
        None if input.is_terminal() => {
            let example = "nqueens plan 16 | nqueens work > results.jsonl";
            Err(Failure::Usage(format!("tasks are read from standard input; example: {example}")))
        }
        None => {
            let tasks = Lines::new(input).map(|line| {
                let (number, line) =
                    line.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
                let task = line.and_then(|line| Task::from_line(&line));
                Ok((Some(number), task.map_err(|error| in_line(number, &error))?))
            });
            // What cannot be read concerns everybody: it is not known whose tasks it hides.
            let mine =
                tasks.enumerate().filter(|(place, task)| task.is_err() || place % of == index);
            workplace.count(mine.map(|(_, task)| task))
        }
    }
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
    args: &'a Args,
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
        tasks: impl Iterator<Item = Result<(Option<u64>, Task), Failure>>,
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
        if !self.args.quiet {
            match (self.counted, self.skipped) {
                (0, 0) => report::note(self.args, "no task, so nothing to count"),
                (_, 0) => {}
                (counted, skipped) => report::note(
                    self.args,
                    &format!("{skipped} tasks had a result in the file, {counted} are counted now"),
                ),
            }
        }
        Ok(())
    }

    fn count_one(&mut self, line: Option<u64>, task: &Task) -> Result<(), Failure> {
        let graceful = signals::end_gracefully();
        let progress = Progress::new(self.args, task.run.n);
        let counted = self.counter.count(task, &progress, graceful.stop());
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
        if self.args.verbose {
            report::note(self.args, &counted_text(&result));
        }
        match graceful.signal() {
            0 => Ok(()),
            signal => Err(Failure::Signal(signal, stopped(task, &result))),
        }
    }

    /// Writes a result. If that fails, it goes to standard error, so that it is not lost.
    fn write(&mut self, result: &TaskResult) -> Result<(), Failure> {
        let line = result.to_line();
        let written = match &mut self.output {
            Output::Stream(output) => {
                let line = format!("{line}\n");
                let written = output.write_all(line.as_bytes()).and_then(|()| output.flush());
                written.map_err(Failure::from)
            }
            Output::File(file) => file.append(&line),
        };
        written.inspect_err(|failure| {
            // Who closes a pipe does not want it.
            if !matches!(failure, Failure::ClosedPipe) {
                report::note(self.args, &format!("this result could not be written:\n{line}"));
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
         `work --out` goes on with them"
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
