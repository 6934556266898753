//! Ctrl-C and its relatives: they end a count at once and say what that means; a count with a
//! checkpoint file, and a benchmark, finish what is in hand first.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};

use nqueens::Stop;

/// The signal that came, and what it stops; nothing before there is a count that can be resumed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graceful {
    stop: Stop,
    signal: Arc<AtomicI32>,
    over: Arc<AtomicBool>,
}

static GRACEFUL: OnceLock<Graceful> = OnceLock::new();

impl Graceful {
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
}

/// From now on the first signal only asks to stop; the second ends the program.
pub(crate) fn end_gracefully() -> Graceful {
    let graceful = GRACEFUL.get_or_init(Graceful::default).clone();
    graceful.over.store(false, Ordering::Relaxed);
    graceful
}

/// From now on SIGINT, SIGTERM and SIGHUP end the program promptly, with 128 + signal number.
/// Results that were already written stay. Where there are no such signals, nothing changes.
pub(crate) fn end_promptly() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
        use std::io::Write;

        // A file that may not grow further is an error like a full disk, not the end.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
        // Without the handler the signal still ends the program, only without a word.
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let running = GRACEFUL.get().filter(|run| !run.over.load(Ordering::Relaxed));
                let word = match running {
                    Some(run) if run.signal() == 0 => {
                        run.signal.store(signal, Ordering::Relaxed);
                        run.stop.request();
                        let word = "finishing the units in hand; once more to stop at once";
                        let _ = writeln!(std::io::stderr(), "\n{word}");
                        continue;
                    }
                    Some(_) => "stopped at once; what was saved stays good",
                    None if GRACEFUL.get().is_some() => "stopped; what is finished stays good",
                    None => "stopped; an unfinished count is lost",
                };
                let _ = writeln!(std::io::stderr(), "\n{word}");
                std::process::exit(128 + signal);
            }
        });
    }
}
