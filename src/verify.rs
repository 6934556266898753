//! Counts saved units again, in another way than before, and compares.
//!
//! A machine that makes an error now and then makes it in any run, so equal counts by another
//! way mean more than the same way twice: a unit is counted again by another algorithm where that is
//! quick, else with another kernel, else (where a CPU has one kernel only) with the same.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::algorithm::Algorithm;
use crate::builder::setting;
use crate::checkpoint::{self, Saved, UnitRecord};
use crate::counter::{Counter, Settings, Worker};
use crate::error::{Error, FileError};
use crate::execute::{Execution, Observer, Stop};
use crate::kernel::Kernel;
use crate::machine::{default_memory, default_threads};
use crate::split::{Split, UnitProblem};
use crate::tally::Tally;

/// What counting saved units again has shown.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Verified {
    /// What the file holds.
    pub saved: Saved,
    /// Number of units counted again.
    pub recounted: u64,
    /// Units that differ, in ascending order.
    pub differences: Vec<Difference>,
    /// How many units were counted again in which way.
    pub ways: Vec<(String, u64)>,
}

/// A unit whose saved tally is not what counting it again gives.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The unit.
    pub unit: u64,
    /// Its tally in the file.
    pub saved: Tally,
    /// Its tally now.
    pub recounted: Tally,
    /// How it was counted now.
    pub way: String,
}

/// A verification to be made: counts the units saved in a checkpoint file again. Each setting has a
/// default; [`run`](Self::run) counts.
///
/// # Examples
/// ```
/// use nqueens::{Count, Verify};
///
/// let file = std::env::temp_dir().join("nqueens-verify-example.nq");
/// Count::new(8)?.checkpoint(&file).run()?;
/// let verified = Verify::new(&file).share(1.0).run()?;
/// assert_eq!((verified.recounted, verified.differences.len()), (21, 0));
/// # std::fs::remove_file(file).unwrap();
/// # Ok::<(), nqueens::Error>(())
/// ```
#[must_use = "nothing is counted before `run`"]
pub struct Verify<'a> {
    path: PathBuf,
    share: f64,
    threads: Option<usize>,
    memory: Option<u64>,
    observer: &'a dyn Observer,
    stop: Stop,
}

impl<'a> Verify<'a> {
    /// A verification of the checkpoint file at `path`.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().into(),
            share: 1.0,
            threads: None,
            memory: None,
            observer: &(),
            stop: Stop::new(),
        }
    }

    /// Counts each unit again with probability `share`, above 0 and up to 1, but at least one; default: 1,
    /// all units.
    pub fn share(mut self, share: f64) -> Self {
        self.share = share;
        self
    }

    setting!(threads, memory, observer, stop);

    /// Counts again, and compares.
    ///
    /// Memory: 60 bytes for each unit that is counted again, and that of a count.
    ///
    /// # Errors
    /// [`Error::Share`], [`Error::File`], [`Error::ThreadCount`], [`Error::ThreadStart`],
    /// [`Error::MemoryTooSmall`], [`Error::Stopped`], [`Error::Overflow`].
    pub fn run(self) -> Result<Verified, Error> {
        let Self { path, share, observer, stop, .. } = &self;
        if !(*share > 0.0 && *share <= 1.0) {
            return Err(Error::Share { share: share.to_string() });
        }
        let threads = self.threads.unwrap_or_else(default_threads);
        let memory = self.memory.unwrap_or_else(default_memory) / threads.max(1) as u64;
        let (mut sample, mut others, mut spare) = (Vec::new(), 0, None);
        let saved = checkpoint::read(path, |record, session| {
            let one = || Sample { record, kernel: Kernel::from_name(&session.kernel) };
            if *share >= 1.0 || fastrand::f64() < *share {
                return sample.push(one());
            }
            others += 1;
            // Each of them is the spare one with the same probability.
            if fastrand::u64(..others) == 0 {
                spare = Some(one());
            }
        })?;
        if sample.is_empty() {
            sample.extend(spare);
        }
        let recount = Recount::new(path, &saved, sample, memory)?;
        let units = recount.sample.len() as u64;
        let execution = Execution::new(threads, units, stop)?;
        observer.started(units);
        let differences = Mutex::new(Vec::new());
        execution.run(0..units, || recount.worker(*observer, &differences)).map(|_: Vec<()>| ())?;
        let mut differences = differences.into_inner().unwrap_or_else(PoisonError::into_inner);
        differences.sort_by_key(|difference: &Difference| difference.unit);
        Ok(Verified { recounted: units, differences, ways: recount.ways(), saved })
    }
}

impl fmt::Debug for Verify<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, share, threads, memory, .. } = self;
        f.debug_struct("Verify")
            .field("path", path)
            .field("share", share)
            .field("threads", threads)
            .field("memory", memory)
            .finish_non_exhaustive()
    }
}

/// A saved unit, and the kernel that counted it, if this program knows it.
struct Sample {
    record: UnitRecord,
    kernel: Option<Kernel>,
}

/// How a unit is counted again.
enum Way {
    /// As a problem of its own, by another algorithm.
    Algorithm(UnitProblem, Algorithm),
    /// By the same algorithm, with the kernel of this index.
    Kernel(usize),
}

/// What counts the units of a sample again.
struct Recount {
    algorithm: Algorithm,
    split: Split,
    counters: Vec<(Kernel, Box<dyn Counter>)>,
    sample: Vec<Sample>,
}

impl Recount {
    fn new(path: &Path, saved: &Saved, sample: Vec<Sample>, memory: u64) -> Result<Self, Error> {
        let algorithm = saved.run.algorithm;
        let problem = saved.run.problem()?;
        let split = saved.run.split().map_err(|error| match error {
            Error::OtherUnits(mismatch) => {
                FileError::OtherUnits { path: path.into(), mismatch }.into()
            }
            error => error,
        })?;
        let make = |kernel| {
            let settings = Settings { kernel, memory };
            Ok((kernel, algorithm.counter(&problem, split.clone(), &settings)?))
        };
        let counters = Kernel::available().into_iter().map(make).collect::<Result<_, Error>>()?;
        Ok(Self { algorithm, split, counters, sample })
    }

    fn way(&self, sample: &Sample) -> Way {
        let UnitRecord { unit, tally, .. } = sample.record;
        if let Some(other) = self.algorithm.another_for_unit(tally.work)
            && let Some(problem) = self.split.as_problem(unit)
        {
            return Way::Algorithm(problem, other);
        }
        let another = |(kernel, _): &(Kernel, _)| Some(*kernel) != sample.kernel;
        Way::Kernel(self.counters.iter().rposition(another).unwrap_or(0))
    }

    fn name(&self, way: &Way) -> String {
        match way {
            Way::Algorithm(_, algorithm) => format!("algorithm {algorithm}"),
            Way::Kernel(index) => format!("kernel {}", self.counters[*index].0),
        }
    }

    /// How many units are counted in which way.
    fn ways(&self) -> Vec<(String, u64)> {
        let mut ways: Vec<(String, u64)> = Vec::new();
        for sample in &self.sample {
            let name = self.name(&self.way(sample));
            match ways.iter_mut().find(|(known, _)| *known == name) {
                Some((_, units)) => *units += 1,
                None => ways.push((name, 1)),
            }
        }
        ways
    }

    /// Counts units of the sample by their place in it, and adds those that differ to `differences`.
    fn worker(
        &self,
        observer: &dyn Observer,
        differences: &Mutex<Vec<Difference>>,
    ) -> impl FnMut(&mut (), u64) -> Result<(), Error> {
        let mut workers: Vec<Worker<'_>> =
            self.counters.iter().map(|(_, counter)| counter.worker()).collect();
        move |(), index| {
            let started = Instant::now();
            let sample = &self.sample[index as usize];
            let UnitRecord { unit, tally: saved, .. } = sample.record;
            let way = self.way(sample);
            let tally = match &way {
                Way::Algorithm(unit, algorithm) => count_whole(unit, *algorithm),
                Way::Kernel(kernel) => workers[*kernel](unit),
            };
            let recounted = tally.ok_or(Error::Overflow { unit, algorithm: self.algorithm })?;
            if recounted != saved {
                let difference = Difference { unit, saved, recounted, way: self.name(&way) };
                differences.lock().unwrap_or_else(PoisonError::into_inner).push(difference);
            }
            observer.finished(index, recounted, started.elapsed());
            Ok(())
        }
    }
}

/// Counts a unit as a problem of its own; `None` if it does not fit 64 bits.
fn count_whole(unit: &UnitProblem, algorithm: Algorithm) -> Option<Tally> {
    let split = Split::new(&unit.problem, algorithm, None).ok()?;
    let above = Tally { solutions: 0, work: split.work_above() };
    let units = split.len();
    let settings = Settings { kernel: Kernel::Portable, memory: u64::MAX };
    let counter = algorithm.counter(&unit.problem, split, &settings).ok()?;
    let mut worker = counter.worker();
    let whole = (0..units).try_fold(above, |sum, index| sum.plus(worker(index)?))?;
    Tally { work: whole.work.checked_sub(unit.nodes_above)?, ..whole }.times(unit.weight)
}
