//! Writes counted units to the checkpoint file, from a thread of its own.

use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::line::{Line, Session, UnitRecord};
use super::{Checkpoint, warn_if_unlocked};
use crate::error::{FileError, shown};
use crate::execute::Observer;
use crate::run::Run;
use crate::tally::Tally;

/// A save follows the last one after a hundredth of the session so far, within these bounds: little is
/// lost early, and little written later.
const INTERVAL: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// On a slow disk a save follows the last one after so many times as long as that took, but no later
/// than the longest interval.
const SHARE: u32 = 20;
const LONGEST: Duration = Duration::from_secs(5);

/// Bytes that are written at once where there are many.
const CHUNK: usize = 1 << 20;

/// Hands counted units to the thread that saves them, which looks for them now and then: waking it for
/// each unit would cost more than the whole rest.
struct Saving {
    units: Sender<UnitRecord>,
    /// Closed when no more units come, and after `units`.
    _end: Sender<()>,
}

/// The other end of [`Saving`].
struct Counted {
    units: Receiver<UnitRecord>,
    ended: Receiver<()>,
}

impl Saving {
    /// Both ends of a way from the threads that count to the one that saves.
    fn channel() -> (Self, Counted) {
        let (units, counted) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        (Self { units, _end: end }, Counted { units: counted, ended })
    }
}

impl Observer for Saving {
    fn finished(&self, unit: u64, tally: Tally, took: Duration) {
        let sent = self.units.send(UnitRecord { unit, tally, took });
        // It lives as long as this end of the channel does, unless its observer panicked.
        sent.expect("the thread that saves ended early");
    }
}

/// Saves on the threads that count, where there can be no other.
struct SavingHere<'a>(Mutex<Saver<'a>>);

impl Observer for SavingHere<'_> {
    fn finished(&self, unit: u64, tally: Tally, took: Duration) {
        let mut saver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        saver.take(UnitRecord { unit, tally, took });
        if saver.last.elapsed() >= saver.interval {
            saver.save();
        }
    }
}

/// Saves counted units.
pub(crate) struct Saver<'a> {
    checkpoint: Checkpoint,
    observer: &'a dyn Observer,
    started: Instant,
    /// Lines that are not saved yet.
    pending: String,
    /// Whether units are among them.
    unsaved: bool,
    /// When it last tried to save.
    last: Instant,
    interval: Duration,
    failing: bool,
}

impl<'a> Saver<'a> {
    pub(crate) fn new(
        checkpoint: Checkpoint,
        session: Session,
        observer: &'a dyn Observer,
    ) -> Self {
        warn_if_unlocked(&checkpoint.log, observer);
        let mut pending = String::new();
        Line::Session(session).encode(checkpoint.check, &mut pending);
        Self {
            checkpoint,
            observer,
            started: Instant::now(),
            pending,
            unsaved: false,
            last: Instant::now(),
            interval: INTERVAL.0,
            failing: false,
        }
    }

    /// Saves the units that `count` finds, while it counts and at its end; `count` tells its observer
    /// about each. A thread of its own saves them, so that nobody waits for a disk.
    pub(crate) fn save_while<T>(self, count: impl FnOnce(&dyn Observer) -> T) -> T {
        let (hand_over, taken) = mpsc::channel::<(Self, Counted)>();
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("nqueens-saver".into());
            let work =
                move || taken.recv().into_iter().for_each(|(saver, counted)| saver.run(&counted));
            if thread.spawn_scoped(scope, work).is_err() {
                return self.save_here_while(count);
            }
            let (saving, counted) = Saving::channel();
            hand_over.send((self, counted)).expect("the thread waits for it");
            // `saving` ends here, and with it the thread, when it has saved the rest.
            count(&saving)
        })
    }

    /// The same where no thread can be started.
    fn save_here_while<T>(self, count: impl FnOnce(&dyn Observer) -> T) -> T {
        let saving = SavingHere(Mutex::new(self));
        let counted = count(&saving);
        saving.0.into_inner().unwrap_or_else(PoisonError::into_inner).save();
        counted
    }

    /// Saves what is `counted`, until its other end is closed.
    fn run(mut self, counted: &Counted) {
        loop {
            let ended = counted.ended.recv_timeout(self.interval);
            counted.units.try_iter().for_each(|unit| self.take(unit));
            self.save();
            if ended == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }

    /// Takes a unit that is to be saved.
    fn take(&mut self, unit: UnitRecord) {
        Line::Unit(unit).encode(self.checkpoint.check, &mut self.pending);
        self.unsaved = true;
    }

    /// Saves what is pending, if that holds units; it stays pending if that fails.
    fn save(&mut self) {
        if !self.unsaved {
            return;
        }
        let begun = Instant::now();
        let units = self.pending.len();
        Line::Time(self.started.elapsed()).encode(self.checkpoint.check, &mut self.pending);
        match self.write() {
            Ok(()) => {
                self.pending.clear();
                self.unsaved = false;
                if std::mem::take(&mut self.failing) {
                    self.observer.saving_recovered();
                }
            }
            Err(error) => {
                self.pending.truncate(units);
                let added = self.checkpoint.log.append_what_fits(&self.pending, &error);
                self.pending.drain(..added);
                self.fails(&error);
            }
        }
        let calm = (self.started.elapsed() / 100).clamp(INTERVAL.0, INTERVAL.1);
        self.interval = calm.max(SHARE * begun.elapsed()).min(LONGEST);
        self.last = Instant::now();
    }

    /// Writes what is pending; also where the file is gone, and can be written again.
    fn write(&mut self) -> io::Result<()> {
        let Err(error) = self.checkpoint.log.append(&self.pending) else { return Ok(()) };
        match self.checkpoint.log.restore() {
            Ok(true) => {
                self.fails(&error);
                self.checkpoint.log.append(&self.pending)
            }
            _ => Err(error),
        }
    }

    fn fails(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.failing, true) {
            let path = shown(self.checkpoint.log.path());
            self.observer.saving_failed(&format!("{path}: {error}"));
        }
    }
}

/// Adds units that were counted elsewhere to the checkpoint file at `path` of `run`, by the sessions
/// that counted them, or begins the file; returns how many it lacked. `observer` is told if nothing keeps
/// other processes away from it.
pub(crate) fn add<Units: Iterator<Item = UnitRecord>>(
    path: &Path,
    run: &Run,
    sessions: impl Iterator<Item = (Session, Units)>,
    observer: &dyn Observer,
) -> Result<u64, FileError> {
    let (mut checkpoint, mut saved) = Checkpoint::open(path, run)?;
    warn_if_unlocked(&checkpoint.log, observer);
    let check = checkpoint.check;
    let mut append = |text: &mut String| {
        let appended = checkpoint.log.append(text);
        text.clear();
        appended.map_err(|error| FileError::io(path, "written", &error))
    };
    let mut added = 0;
    for (session, units) in sessions {
        let mut text = String::new();
        let threads = session.threads_as_divisor();
        let mut took = Duration::ZERO;
        Line::Session(session.starting_now()).encode(check, &mut text);
        let mut lacking = units.filter(|record| saved.done.insert(record.unit)).peekable();
        if lacking.peek().is_none() {
            continue;
        }
        for record in lacking {
            added += 1;
            took = took.saturating_add(record.took);
            Line::Unit(record).encode(check, &mut text);
            if text.len() > CHUNK {
                append(&mut text)?;
            }
        }
        Line::Time(took / threads).encode(check, &mut text);
        append(&mut text)?;
    }
    Ok(added)
}
