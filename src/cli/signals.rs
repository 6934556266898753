//! Ctrl-C and its relatives end a count at once, and say what that means; or ask it to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use nqueens::Stop;

/// From now on SIGINT, SIGTERM and SIGHUP end the program promptly, with 128 + signal number.
/// Results that were already written stay. Where there are no such signals, nothing changes.
pub(crate) fn end_promptly() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use std::io::Write;

        // Without the handler the signal still ends the program, only without a word.
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                let _ = writeln!(std::io::stderr(), "\nstopped; an unfinished count is lost");
                std::process::exit(128 + signal);
            }
        });
    }
}

/// A stop flag that the first SIGINT, SIGTERM or SIGHUP sets; the second ends the program at once.
pub(crate) struct StopOnSignal {
    stop: Stop,
    signal: Arc<AtomicI32>,
}

impl StopOnSignal {
    /// Listens from now on.
    pub(crate) fn new() -> Self {
        let this = Self { stop: Stop::new(), signal: Arc::default() };
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

            // Without the handler a signal ends the program, and nothing is kept.
            let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]);
            if let Ok(mut signals) = signals {
                let (stop, first) = (this.stop.clone(), Arc::clone(&this.signal));
                std::thread::spawn(move || {
                    for signal in signals.forever() {
                        if first.swap(signal, Ordering::Relaxed) != 0 {
                            std::process::exit(128 + signal);
                        }
                        stop.request();
                    }
                });
            }
        }
        this
    }

    /// The flag.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The signal that came, if one did.
    pub(crate) fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::Relaxed)).filter(|&signal| signal != 0)
    }
}
