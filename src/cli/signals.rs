//! Ctrl-C and its relatives: they end a count at once and say what that means; a count with a
//! checkpoint file, and a benchmark, finish what is in hand first.
//!
//! A signal that is ignored when the program starts stays ignored: that is what `nohup`, and a shell with
//! jobs in the background, have asked for. SIGTERM always stops.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use nqueens::Stop;

use super::wording::duration;

/// The signal that came, and what it stops; nothing before there is a count that can be resumed.
#[derive(Debug, Clone)]
pub(crate) struct Graceful {
    stop: Stop,
    signal: Arc<AtomicI32>,
    over: Arc<AtomicBool>,
    started: Instant,
    /// The longest time of a finished unit, in milliseconds.
    longest: Arc<AtomicU64>,
}

static GRACEFUL: OnceLock<Graceful> = OnceLock::new();

/// Units in hand that may take longer are announced.
const PATIENCE: Duration = Duration::from_secs(1);

impl Graceful {
    fn new() -> Self {
        Self {
            stop: Stop::new(),
            signal: Arc::default(),
            over: Arc::default(),
            started: Instant::now(),
            longest: Arc::default(),
        }
    }

    /// What a count that can be resumed obeys.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The signal that asked to stop; 0 if none did.
    pub(crate) fn signal(&self) -> i32 {
        self.signal.load(Ordering::Relaxed)
    }

    /// Nothing that can be resumed is counting any more: the next signal ends the program.
    pub(crate) fn is_over(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// How long the units in hand may take.
    fn wait(&self) -> String {
        let longest = Duration::from_millis(self.longest.load(Ordering::Relaxed));
        match self.started.elapsed() {
            _ if longest > PATIENCE => format!(", which may take {}", duration(longest)),
            so_far if longest.is_zero() && so_far > PATIENCE => {
                format!(", of which none is finished after {}", duration(so_far))
            }
            _ => String::new(),
        }
    }
}

/// From now on the first signal only asks to stop; the second ends the program.
pub(crate) fn end_gracefully() -> Graceful {
    let graceful = GRACEFUL.get_or_init(Graceful::new).clone();
    graceful.over.store(false, Ordering::Relaxed);
    graceful
}

/// A unit is finished, which took `took`: so may those in hand when a signal comes.
pub(crate) fn unit_took(took: Duration) {
    if let Some(graceful) = GRACEFUL.get() {
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX).max(1);
        graceful.longest.fetch_max(millis, Ordering::Relaxed);
    }
}

/// From now on the signals that ask a program to end do so promptly, with 128 + signal number. Results
/// that were already written stay. Where there are no such signals, nothing changes.
pub(crate) fn end_promptly() {
    #[cfg(unix)]
    unix::end_promptly();
}

#[cfg(unix)]
mod unix {
    use std::io::Write;
    use std::sync::atomic::Ordering;
    use std::sync::{Arc, mpsc};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;

    use crate::cli::signals::GRACEFUL;

    /// What people and systems send to end a program. Batch systems send the last three to warn it.
    const ENDING: [i32; 6] = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU];

    pub(super) fn end_promptly() {
        let ignored = ignored();
        // A file that may not grow further is an error like a full disk, not the end.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
        // Without a thread, or without handlers, the signals still end the program, only without a word.
        let (sender, receiver) = mpsc::channel::<Signals>();
        let name = "nqueens-signals".into();
        let started = std::thread::Builder::new().name(name).spawn(move || {
            receiver.recv().iter_mut().flat_map(Signals::forever).for_each(obey);
        });
        let heard = ENDING.into_iter().filter(|&signal| {
            signal == SIGTERM || ignored & 1u64.wrapping_shl(signal as u32 - 1) == 0
        });
        if started.is_ok()
            && let Ok(signals) = Signals::new(heard)
        {
            let _ = sender.send(signals);
        }
    }

    /// The signals that this process ignores, one bit each; none where the system does not say.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }

    fn obey(signal: i32) {
        let running = GRACEFUL.get().filter(|run| !run.over.load(Ordering::Relaxed));
        let word = match running {
            Some(run) if run.signal() == 0 => {
                run.signal.store(signal, Ordering::Relaxed);
                run.stop.request();
                let wait = run.wait();
                let word = format!("finishing the units in hand{wait}; once more to stop at once");
                let _ = writeln!(std::io::stderr(), "\n{word}");
                return;
            }
            Some(_) => "stopped at once; what was saved stays good",
            None if GRACEFUL.get().is_some() => "stopped; what is finished stays good",
            None => "stopped; an unfinished count is lost",
        };
        let _ = writeln!(std::io::stderr(), "\n{word}");
        std::process::exit(128 + signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_in_hand_are_announced() {
        let mut graceful = Graceful::new();
        assert_eq!(graceful.wait(), "");
        graceful.started = Instant::now().checked_sub(Duration::from_secs(20)).unwrap();
        assert_eq!(graceful.wait(), ", of which none is finished after 20 s");
        graceful.longest.store(900, Ordering::Relaxed);
        assert_eq!(graceful.wait(), "");
        graceful.longest.store(14_000, Ordering::Relaxed);
        assert_eq!(graceful.wait(), ", which may take 14 s");
    }
}
