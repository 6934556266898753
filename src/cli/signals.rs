//! Ctrl-C and its relatives end a count at once, and say what that means.

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
