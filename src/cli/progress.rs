//! Progress on standard error: a bar on a terminal, plain lines elsewhere if asked for.
//!
//! [`Display`] knows where and when to show something, [`Progress`] what to say of counts and tasks,
//! and [`Placements`] what to say of a search for one board.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nqueens::{Observer, Tally};

use super::context::Context;
use super::options::When;
use super::signals;
use super::wording::{duration, left, percent, shown};

/// Work that ends sooner than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Time until the first plain line. Each further one comes when the time has doubled, but no later
/// than the interval after the one before.
const FIRST_LINE: Duration = Duration::from_secs(10);
const LINE_INTERVAL: Duration = Duration::from_secs(600);

/// Time between two changes of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(200);

/// Where and when progress with the board of `n` rows is shown.
struct Display<'a> {
    context: &'a Context,
    n: u32,
    started: Instant,
    /// The time since the start at which progress is shown next.
    due: Mutex<Duration>,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines,
}

impl<'a> Display<'a> {
    /// `template` is that of the bar. Where there is no terminal, lines are written if progress is
    /// asked for; work that `keeps_log` writes them unless it is declined.
    fn new(context: &'a Context, n: u32, template: &str, keeps_log: bool) -> Self {
        let terminal = io::stderr().is_terminal()
            && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        let shown = match context.progress {
            _ if context.quiet => Shown::Nothing,
            When::Auto | When::Always if terminal => Shown::Bar(hidden_bar(n, template)),
            When::Always => Shown::Lines,
            When::Auto if keeps_log => Shown::Lines,
            When::Auto | When::Never => Shown::Nothing,
        };
        let due = if matches!(shown, Shown::Bar(_)) { PATIENCE } else { FIRST_LINE };
        Self { context, n, started: Instant::now(), due: Mutex::new(due), shown }
    }

    /// Shows that `done` is done, in the words of `text`, if it is time for that.
    fn update(&self, done: u64, text: impl FnOnce() -> String) {
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
                bar.set_message(text());
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
            }
            Shown::Lines => {
                *due = (2 * elapsed).min(elapsed + LINE_INTERVAL);
                self.context.say(&format!("N = {}: {}", self.n, text()));
            }
        }
    }

    /// Says something in between.
    fn say(&self, message: &str) {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(|| self.context.say(message)),
            Shown::Nothing | Shown::Lines => self.context.say(message),
        }
    }

    /// Takes the bar away.
    fn finish(&self) {
        match &self.shown {
            Shown::Bar(bar) if !bar.is_finished() => bar.finish_and_clear(),
            _ => {}
        }
    }
}

impl Drop for Display<'_> {
    fn drop(&mut self) {
        self.finish();
    }
}

/// A bar that is not drawn before it has something to show.
fn hidden_bar(n: u32, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
        .with_style(style.progress_chars("=> "))
        .with_prefix(n.to_string())
}

/// Shows how many units of a count or task are done.
///
/// A resumed run begins where earlier sessions ended. The time left comes
/// from the units of this session alone, since it may have more threads, or a faster CPU.
pub(crate) struct Progress<'a> {
    display: Display<'a>,
    units: AtomicU64,
    done: AtomicU64,
    /// Units that earlier runs counted, and their time.
    earlier: OnceLock<(u64, Duration)>,
    /// Whether the last attempt to save failed.
    failing: AtomicBool,
}

impl<'a> Progress<'a> {
    /// Progress of a count of boards of `n` rows.
    pub(crate) fn new(context: &'a Context, n: u32) -> Self {
        Self::displayed(context, n, false)
    }

    /// Progress of a run that is meant to be long: it says now and then how far it is, in logs too.
    pub(crate) fn of_long_run(context: &'a Context, n: u32) -> Self {
        Self::displayed(context, n, true)
    }

    fn displayed(context: &'a Context, n: u32, keeps_log: bool) -> Self {
        Self {
            display: Display::new(context, n, "N = {prefix} [{bar:20}] {wide_msg}", keeps_log),
            units: AtomicU64::new(0),
            done: AtomicU64::new(0),
            earlier: OnceLock::new(),
            failing: AtomicBool::new(false),
        }
    }

    /// Takes the bar away, so that something else can be written.
    pub(crate) fn finish(&self) {
        self.display.finish();
    }

    /// Whether counted units wait in vain to be saved.
    pub(crate) fn is_saving_in_vain(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    /// Where the run stands: for people.
    fn text(&self) -> String {
        let (before, earlier) = self.earlier.get().copied().unwrap_or_default();
        let (units, done) = (self.units.load(Ordering::Relaxed), self.done.load(Ordering::Relaxed));
        let session = self.display.started.elapsed();
        let rate = (done - before) as f64 / session.as_secs_f64();
        let so_far = match earlier {
            Duration::ZERO => format!("{} so far", duration(session)),
            _ => format!("{} so far, {} of it now", duration(earlier + session), duration(session)),
        };
        format!(
            "{} done ({done} of {units} units, {rate:.3} per second), {so_far}, {}",
            percent(done, units),
            left(units - done, rate),
        )
    }
}

impl Observer for Progress<'_> {
    fn started(&self, units: u64) {
        self.units.store(units, Ordering::Relaxed);
        if let Shown::Bar(bar) = &self.display.shown {
            bar.set_length(units);
        }
    }

    fn resumed(&self, units: u64, elapsed: Duration) {
        self.done.store(units, Ordering::Relaxed);
        let _ = self.earlier.set((units, elapsed));
        if units > 0 && !self.display.context.quiet {
            let all = self.units.load(Ordering::Relaxed);
            self.display.say(&format!(
                "N = {}: resumed; {units} of {all} units were counted before, in {}",
                self.display.n,
                duration(elapsed)
            ));
        }
    }

    fn finished(&self, _unit: u64, _tally: Tally, took: Duration) {
        signals::unit_took(took);
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.display.update(done, || self.text());
    }

    fn unlocked(&self, file: &Path) {
        self.display.say(&unlocked(file));
    }

    fn saving_failed(&self, reason: &str) {
        self.failing.store(true, Ordering::Relaxed);
        self.display.say(&format!(
            "warning: cannot save to {reason}; counting goes on, and saving is tried again"
        ));
    }

    fn saving_recovered(&self) {
        self.failing.store(false, Ordering::Relaxed);
        self.display.say("saving works again, and everything is saved");
    }
}

/// Work that is too short for progress: only warnings are shown.
impl Observer for Context {
    fn unlocked(&self, file: &Path) {
        self.say(&unlocked(file));
    }
}

fn unlocked(file: &Path) -> String {
    let file = shown(file);
    format!(
        "warning: the file system of {file} has no locks: make sure that no other process uses it"
    )
}

/// Shows how many queens the search for one board has placed.
pub(crate) struct Placements<'a> {
    display: Display<'a>,
}

impl<'a> Placements<'a> {
    /// Progress of a search for a board of `n` rows.
    pub(crate) fn new(context: &'a Context, n: u32) -> Self {
        Self { display: Display::new(context, n, "{spinner} N = {prefix}: {msg}", false) }
    }
}

impl Observer for Placements<'_> {
    fn placed(&self, queens: u64) {
        self.display.update(queens, || {
            let seconds = self.display.started.elapsed().as_secs();
            format!("{} million queens placed, {seconds} s so far", queens / 1_000_000)
        });
    }
}
