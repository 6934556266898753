//! What changed since an earlier report.

use std::path::Path;

use super::results::{BenchReport, Change, Measurement};
use crate::cli::failure::Failure;
use crate::cli::wording::shown;

/// Medians that differ by less are the same.
const NOISE: f64 = 0.02;

/// Reads an earlier report.
pub(super) fn read(path: &Path) -> Result<BenchReport, Failure> {
    let wrong = |reason: String| Failure::Usage(format!("{}: {reason}", shown(path)));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_str(&text)
        .map_err(|error| wrong(format!("not a report of `nqueens bench --export-json`: {error}")))
}

/// The counts of both reports that take longer or shorter than before.
pub(super) fn changes(before: &BenchReport, now: &BenchReport) -> Vec<Change> {
    let pairs = pairs(before, now).filter(|(before, now)| differ(before, now));
    let change = |(before, now): (&Measurement, &Measurement)| Change {
        key: now.key.clone(),
        before: before.median,
        now: now.median,
    };
    pairs.map(change).collect()
}

/// What makes the two reports hard to compare.
pub(super) fn differences(before: &BenchReport, now: &BenchReport) -> Vec<String> {
    let mut differences = Vec::new();
    let mut compare = |what: &str, before: &str, now: &str| {
        if before != now {
            differences.push(format!("the baseline has another {what}: {before}, now {now}"));
        }
    };
    compare("CPU", &before.machine.name(), &now.machine.name());
    compare("workload", &before.workload, &now.workload);
    compare("profile", &before.build.profile, &now.build.profile);
    if pairs(before, now).next().is_none() {
        differences.push("the baseline has no measurement that was made now".into());
    }
    differences
}

/// Measurements of the same count.
fn pairs<'a>(
    before: &'a BenchReport,
    now: &'a BenchReport,
) -> impl Iterator<Item = (&'a Measurement, &'a Measurement)> {
    now.measurements.iter().filter_map(move |now| {
        let before = before.measurements.iter().find(|before| before.key == now.key)?;
        Some((before, now))
    })
}

/// Whether no run of the one was as fast as any of the other, and the medians are further apart
/// than the runs of either.
fn differ(before: &Measurement, now: &Measurement) -> bool {
    let shortest = |m: &Measurement| m.seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let longest = |m: &Measurement| m.seconds.iter().copied().fold(0.0, f64::max);
    let apart = longest(before) < shortest(now) || longest(now) < shortest(before);
    let ratio = (now.median / before.median).max(before.median / now.median);
    apart && ratio > 1.0 + NOISE.max(before.spread).max(now.spread)
}
