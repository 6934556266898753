//! Progress on standard error: a bar on a terminal, plain lines elsewhere if asked for.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nqueens::{Observer, Tally};

use super::args::{Args, When};

/// Counts that end sooner than this show no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows how many units are done.
pub(crate) struct Progress {
    n: u32,
    started: Instant,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines { units: ProgressBar, last: Mutex<Instant> },
}

impl Progress {
    pub(crate) fn new(args: &Args, n: u32) -> Self {
        let terminal = io::stderr().is_terminal()
            && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        let hidden = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let shown = match args.progress {
            _ if args.quiet => Shown::Nothing,
            When::Auto | When::Always if terminal => Shown::Bar(hidden.with_style(style())),
            When::Always => Shown::Lines { units: hidden, last: Mutex::new(Instant::now()) },
            When::Auto | When::Never => Shown::Nothing,
        };
        Self { n, started: Instant::now(), shown }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn style() -> ProgressStyle {
    let template = "N = {msg} [{bar:40}] {percent:>3} %  {elapsed} so far, about {eta} left ";
    ProgressStyle::with_template(template).expect("the template is valid").progress_chars("=> ")
}

impl Observer for Progress {
    fn started(&self, units: u64) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) | Shown::Lines { units: bar, .. } => {
                bar.set_length(units);
                bar.set_message(self.n.to_string());
            }
        }
    }

    fn finished(&self, _unit: u64, _tally: Tally) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.inc(1);
                if bar.is_hidden() && self.started.elapsed() > PATIENCE {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(200));
                }
            }
            Shown::Lines { units, last } => {
                units.inc(1);
                let Ok(mut last) = last.try_lock() else { return };
                if last.elapsed() >= LINE_INTERVAL {
                    *last = Instant::now();
                    self.write_line(units);
                }
            }
        }
    }
}

impl Progress {
    fn write_line(&self, units: &ProgressBar) {
        let done = units.position() as f64 / units.length().unwrap_or(1).max(1) as f64;
        let elapsed = self.started.elapsed().as_secs_f64();
        let left = elapsed * (1.0 - done) / done;
        // Progress that nobody can read is no reason to end a count.
        let _ = writeln!(
            io::stderr(),
            "N = {}: {:.1} % done, {elapsed:.0} s so far, about {left:.0} s left",
            self.n,
            100.0 * done,
        );
    }
}
