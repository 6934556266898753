//! Writes counted units to the checkpoint file, from a thread of its own.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::Checkpoint;
use super::line::{Line, Session, UnitRecord};
use crate::counter::Tally;
use crate::execute::Observer;

/// A save follows the last one after a hundredth of the session so far, within these bounds: little is
/// lost early, and little written later.
const INTERVAL: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// On a slow disk a save follows the last one after so many times as long as that took, but no later
/// than the longest interval.
const SHARE: u32 = 20;
const LONGEST: Duration = Duration::from_secs(5);

/// Hands counted units to the thread that saves them.
pub(crate) struct Saving(pub(crate) Sender<UnitRecord>);

impl Observer for Saving {
    fn finished(&self, unit: u64, tally: Tally, took: Duration) {
        // The saver lives as long as this end of the channel does.
        let _ = self.0.send(UnitRecord { unit, tally, took });
    }
}

/// Saves counted units.
pub(crate) struct Saver<'a> {
    checkpoint: Checkpoint,
    observer: &'a dyn Observer,
    started: Instant,
    pending: String,
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
        let mut pending = String::new();
        Line::Session(session).encode(checkpoint.check, &mut pending);
        Self {
            checkpoint,
            observer,
            started: Instant::now(),
            pending,
            last: Instant::now(),
            interval: INTERVAL.0,
            failing: false,
        }
    }

    /// Saves what comes through `units`, until its other end is closed.
    pub(crate) fn run(mut self, units: &Receiver<UnitRecord>) {
        let mut any = false;
        loop {
            let left = self.interval.saturating_sub(self.last.elapsed());
            match units.recv_timeout(if any { left } else { Duration::MAX }) {
                Ok(unit) => {
                    Line::Unit(unit).encode(self.checkpoint.check, &mut self.pending);
                    any = true;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if any && self.last.elapsed() >= self.interval {
                any = !self.save();
            }
        }
        if any {
            self.save();
        }
    }

    /// Saves what is pending; it stays pending if that fails.
    fn save(&mut self) -> bool {
        let begun = Instant::now();
        let units = self.pending.len();
        Line::Time(self.started.elapsed()).encode(self.checkpoint.check, &mut self.pending);
        let saved = self.checkpoint.append(&self.pending);
        match &saved {
            Ok(()) => {
                self.pending.clear();
                if std::mem::take(&mut self.failing) {
                    self.observer.saving_recovered();
                }
            }
            Err(error) => {
                self.pending.truncate(units);
                if !std::mem::replace(&mut self.failing, true) {
                    let path = self.checkpoint.path.display();
                    self.observer.saving_failed(&format!("{path}: {error}"));
                }
            }
        }
        self.last = Instant::now();
        let calm = (self.started.elapsed() / 100).clamp(INTERVAL.0, INTERVAL.1);
        self.interval = calm.max(SHARE * begun.elapsed()).min(LONGEST);
        saved.is_ok()
    }
}
