//! Progress on standard error: a bar on a terminal, plain lines elsewhere if asked for.
//!
//! A run that goes on with a checkpoint file begins where earlier ones ended. The time left comes
//! from the units of this session alone, since it may have more threads, or a faster CPU.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nqueens::{Observer, Tally};

use super::args::{Args, When};
use super::report;

/// Counts that end sooner than this show no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Time until the first plain line. Each further one comes when the time has doubled, but no later
/// than the interval after the one before.
const FIRST_LINE: Duration = Duration::from_secs(10);
const LINE_INTERVAL: Duration = Duration::from_secs(600);

/// Time between two changes of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(200);

/// Shows how many units are done.
pub(crate) struct Progress<'a> {
    args: &'a Args,
    n: u32,
    started: Instant,
    units: AtomicU64,
    done: AtomicU64,
    /// Units that earlier runs counted, and their time.
    earlier: OnceLock<(u64, Duration)>,
    /// Whether the last attempt to save failed.
    failing: AtomicBool,
    /// The time of the run at which progress is shown next.
    due: Mutex<Duration>,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(args: &'a Args, n: u32) -> Self {
        let terminal = io::stderr().is_terminal()
            && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        let hidden = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let shown = match args.progress {
            _ if args.quiet => Shown::Nothing,
            When::Auto | When::Always if terminal => Shown::Bar(hidden.with_style(style())),
            When::Always => Shown::Lines,
            // A run that is meant to be long says now and then how far it is, in logs too.
            When::Auto if args.checkpoint.is_some() => Shown::Lines,
            When::Auto | When::Never => Shown::Nothing,
        };
        Self {
            args,
            n,
            started: Instant::now(),
            units: AtomicU64::new(0),
            done: AtomicU64::new(0),
            earlier: OnceLock::new(),
            failing: AtomicBool::new(false),
            due: Mutex::new(if matches!(shown, Shown::Bar(_)) { PATIENCE } else { FIRST_LINE }),
            shown,
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    /// Whether counted units wait in vain to be saved.
    pub(crate) fn is_saving_in_vain(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    /// Where the run stands: for people.
    fn text(&self) -> String {
        let (before, earlier) = self.earlier.get().copied().unwrap_or_default();
        let (units, done) = (self.units.load(Ordering::Relaxed), self.done.load(Ordering::Relaxed));
        let session = self.started.elapsed();
        let rate = (done - before) as f64 / session.as_secs_f64();
        let so_far = match earlier {
            Duration::ZERO => format!("{} so far", duration(session)),
            _ => format!("{} so far, {} of it now", duration(earlier + session), duration(session)),
        };
        format!(
            "{:.1} % done ({done} of {units} units, {rate:.3} per second), {so_far}, {}",
            100.0 * done as f64 / units.max(1) as f64,
            left(units - done, rate),
        )
    }

    fn warn(&self, message: &str) {
        if let Shown::Bar(bar) = &self.shown {
            bar.suspend(|| report::note(self.args, message));
        } else {
            report::note(self.args, message);
        }
    }
}

/// The time left for `units` units: for people.
pub(crate) fn left(units: u64, rate: f64) -> String {
    match Duration::try_from_secs_f64(units as f64 / rate) {
        Ok(left) => format!("about {} left", duration(left)),
        Err(_) => "time left not known yet".into(),
    }
}

/// A duration in its two largest units.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds >= 1000 * 365 * 86_400 {
        return format!("{:.1e} y", seconds as f64 / (365.25 * 86_400.0));
    }
    let parts = [(365 * 86_400, "y"), (86_400, "d"), (3600, "h"), (60, "min"), (1, "s")];
    let Some(first) = parts.iter().position(|&(size, _)| seconds >= size) else {
        return format!("{:.1} s", duration.as_secs_f64());
    };
    let (size, name) = parts[first];
    let rest = parts.get(first + 1).map(|&(part, name)| (seconds % size / part, name));
    match rest.filter(|&(count, _)| count > 0) {
        Some((count, smaller)) => format!("{} {name} {count} {smaller}", seconds / size),
        None => format!("{} {name}", seconds / size),
    }
}

fn style() -> ProgressStyle {
    let template = "N = {prefix} [{bar:20}] {wide_msg}";
    ProgressStyle::with_template(template).expect("the template is valid").progress_chars("=> ")
}

impl Observer for Progress<'_> {
    fn started(&self, units: u64) {
        self.units.store(units, Ordering::Relaxed);
        if let Shown::Bar(bar) = &self.shown {
            bar.set_length(units);
            bar.set_prefix(self.n.to_string());
        }
    }

    fn resumed(&self, units: u64, elapsed: Duration) {
        self.done.store(units, Ordering::Relaxed);
        let _ = self.earlier.set((units, elapsed));
        if units > 0 && !self.args.quiet {
            let all = self.units.load(Ordering::Relaxed);
            self.warn(&format!(
                "N = {}: going on; {units} of {all} units were counted before, in {}",
                self.n,
                duration(elapsed)
            ));
        }
    }

    fn finished(&self, _unit: u64, _tally: Tally, _took: Duration) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(mut due) = self.due.try_lock() else { return };
        let elapsed = self.started.elapsed();
        if elapsed < *due {
            return;
        }
        match &self.shown {
            Shown::Nothing => *due = Duration::MAX,
            Shown::Bar(bar) => {
                *due = elapsed + BAR_INTERVAL;
                bar.set_position(done);
                bar.set_message(self.text());
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
            }
            Shown::Lines => {
                *due = (2 * elapsed).min(elapsed + LINE_INTERVAL);
                report::note(self.args, &format!("N = {}: {}", self.n, self.text()));
            }
        }
    }

    fn saving_failed(&self, reason: &str) {
        self.failing.store(true, Ordering::Relaxed);
        self.warn(&format!(
            "warning: cannot save to {reason}; counting goes on, and saving is tried again"
        ));
    }

    fn saving_recovered(&self) {
        self.failing.store(false, Ordering::Relaxed);
        self.warn("saving works again, and everything is saved");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_for_people() {
        let texts = [
            (0.25, "0.2 s"),
            (61.0, "1 min 1 s"),
            (3600.0, "1 h"),
            (93_784.0, "1 d 2 h"),
            (4e8, "12 y 249 d"),
            (1e17, "3.2e9 y"),
        ];
        for (seconds, text) in texts {
            assert_eq!(duration(Duration::from_secs_f64(seconds)), text);
        }
        assert_eq!(left(5, 0.0), "time left not known yet");
        assert_eq!(left(10, 0.5), "about 20 s left");
    }
}
