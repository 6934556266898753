//! Numbers, times, names and lists as people read them.

use std::path::Path;
use std::time::Duration;

/// The name of a file in a message of one line: a line end in it does not begin another.
pub(crate) fn shown(file: &Path) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    file.display().to_string().chars().map(escaped).collect()
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

/// The time left for `units` units at `rate` units per second.
pub(crate) fn left(units: u64, rate: f64) -> String {
    match Duration::try_from_secs_f64(units as f64 / rate) {
        Ok(left) => format!("about {} left", duration(left)),
        Err(_) => "time left not known yet".into(),
    }
}

/// `done` of `all` in percent; nothing of nothing is 0.
pub(crate) fn percent(done: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * done as f64 / all.max(1) as f64)
}

/// The end of a word that stands behind `number`.
pub(crate) fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// The first `count` of `items`, and whether there are more.
pub(crate) fn first_of<T: ToString>(items: impl Iterator<Item = T>, count: usize) -> String {
    let mut items = items.map(|item| item.to_string());
    let shown: Vec<String> = items.by_ref().take(count).collect();
    let more = if items.next().is_some() { ", ..." } else { "" };
    shown.join(", ") + more
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

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(first_of([1, 2].iter(), 2), "1, 2");
        assert_eq!(first_of(1..4, 2), "1, 2, ...");
        assert_eq!(first_of(0..0, 2), "");
    }
}
