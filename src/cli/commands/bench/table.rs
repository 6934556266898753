//! The report for people: tables on a terminal and in Markdown.

use std::fmt::Write;

use anstyle::Style;

use super::results::{BenchReport, Change, Measurement};
use crate::cli::wording::plural;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The columns of the table of counts, with their widths; those after the second are numbers.
const COUNTS: [(&str, usize); 8] = [
    ("algorithm", 9),
    ("kernel", 8),
    ("N", 3),
    ("threads", 7),
    ("time", 9),
    ("spread", 7),
    ("solutions/s", 12),
    ("work/s", 14),
];

/// The columns of a table of threads.
const THREADS: [(&str, usize); 5] =
    [("threads", 7), ("time", 9), ("spread", 7), ("speed-up", 9), ("efficiency", 10)];

/// What stands above the tables: program, machine and workload.
pub(super) fn head(report: &BenchReport) -> String {
    let BenchReport { build, machine, runs, .. } = report;
    format!(
        "{BOLD}nqueens {}{BOLD:#} on {}\n\
         {DIM}commit {}, {}, {}; time is the median of {runs} run{} after one to warm up{DIM:#}\n",
        build.version,
        machine.name(),
        build.commit,
        build.profile,
        build.target,
        plural(*runs),
    )
}

/// The head of the table of counts.
pub(super) fn counts_head() -> String {
    format!("\n{BOLD}{}{BOLD:#}\n", line(&COUNTS, &COUNTS.map(|(name, _)| name.to_string())))
}

/// The last measurement as a line of its table, with a new table's head where one begins.
pub(super) fn last_line(report: &BenchReport) -> String {
    let [.., last] = report.measurements.as_slice() else { return String::new() };
    let threads = report.same_as_last();
    match threads.as_slice() {
        [_] if report.starts_algorithm() => format!("\n{}\n", line(&COUNTS, &counts_cells(last))),
        [_] => line(&COUNTS, &counts_cells(last)) + "\n",
        [first, second] => threads_head(first) + &threads_line(first) + &threads_line(second),
        _ => threads_line(last),
    }
}

fn threads_head(first: &Measurement) -> String {
    let names = line(&THREADS, &THREADS.map(|(name, _)| name.to_string()));
    format!("\n{BOLD}{}\n{names}{BOLD:#}\n", threads_title(first))
}

fn threads_line(measurement: &Measurement) -> String {
    line(&THREADS, &threads_cells(measurement)) + "\n"
}

/// What stands below the tables: changes, signature and warnings.
pub(super) fn tail(report: &BenchReport) -> String {
    let mut text = String::new();
    if let Some(changes) = &report.changes {
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", changes_title(changes));
        for change in changes {
            let _ = writeln!(text, "{}", change_text(change));
        }
    }
    let _ = writeln!(text, "\n{}", signature(report));
    for warning in &report.warnings {
        let _ = writeln!(text, "{BOLD}warning:{BOLD:#} {warning}");
    }
    text
}

/// The whole report in Markdown.
pub(super) fn markdown(report: &BenchReport) -> String {
    let BenchReport { build, machine, runs, workload, .. } = report;
    let mut text = format!(
        "**nqueens {}** on {}\n\nCommit {}, profile {}, {}, {}. Workload {workload}; time is the \
         median of {runs} runs after one to warm up.\n",
        build.version,
        machine.name(),
        build.commit,
        build.profile,
        build.target,
        build.compiler
    );
    markdown_table(&mut text, &COUNTS, 2, report.growing().map(counts_cells));
    for threads in report.scaling() {
        let _ = write!(text, "\n{}\n", threads_title(threads[0]));
        markdown_table(&mut text, &THREADS, 0, threads.into_iter().map(threads_cells));
    }
    if let Some(changes) = &report.changes {
        let _ = write!(text, "\n{}\n\n", changes_title(changes));
        for change in changes {
            let _ = writeln!(text, "- {}", change_text(change));
        }
    }
    let _ = writeln!(text, "\n{}", signature(report));
    for warning in &report.warnings {
        let _ = writeln!(text, "\n**Warning:** {warning}");
    }
    text
}

fn markdown_table<const COLUMNS: usize>(
    text: &mut String,
    columns: &[(&str, usize); COLUMNS],
    words: usize,
    lines: impl Iterator<Item = [String; COLUMNS]>,
) {
    let _ = writeln!(text, "\n| {} |", columns.map(|(name, _)| name).join(" | "));
    for column in 0..COLUMNS {
        *text += if column < words { "| --- " } else { "| ---: " };
    }
    *text += "|\n";
    for cells in lines {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

/// Words to the left, numbers to the right.
fn line<const COLUMNS: usize>(
    columns: &[(&str, usize); COLUMNS],
    cells: &[String; COLUMNS],
) -> String {
    let mut text = String::new();
    for ((name, width), cell) in columns.iter().zip(cells) {
        let _ = match *name {
            "algorithm" | "kernel" => write!(text, "{cell:<width$}  "),
            _ => write!(text, "{cell:>width$}  "),
        };
    }
    text.trim_end().to_string()
}

fn counts_cells(measurement: &Measurement) -> [String; 8] {
    let Measurement { key, work_unit, .. } = measurement;
    [
        key.algorithm.clone(),
        key.kernel.clone(),
        key.board.to_string(),
        key.threads.to_string(),
        time(measurement.median),
        percent(measurement.spread),
        amount(measurement.solutions_per_second),
        format!("{} {work_unit}", amount(measurement.work_per_second)),
    ]
}

fn threads_cells(measurement: &Measurement) -> [String; 5] {
    [
        measurement.key.threads.to_string(),
        time(measurement.median),
        percent(measurement.spread),
        measurement.speed_up.map_or(String::new(), |speed_up| format!("{speed_up:.2}")),
        measurement.efficiency.map_or(String::new(), |part| format!("{:.0} %", 100.0 * part)),
    ]
}

fn threads_title(first: &Measurement) -> String {
    format!("Threads: {}, N = {}", first.key.series(), first.key.board)
}

fn changes_title(changes: &[Change]) -> &'static str {
    if changes.is_empty() { "Nothing changed beyond noise" } else { "Changed beyond noise" }
}

fn change_text(Change { key, before, now }: &Change) -> String {
    let (ratio, what) =
        if now < before { (before / now, "faster") } else { (now / before, "slower") };
    format!(
        "{}, N = {}, {} thread{}: {} -> {}, {ratio:.2} times {what}",
        key.series(),
        key.board,
        key.threads,
        plural(key.threads),
        time(*before),
        time(*now),
    )
}

fn signature(report: &BenchReport) -> String {
    match &report.signature {
        Some(signature) => format!(
            "All counts are right. Signature {signature}: the work of all portable counts, the \
             same for every correct build of workload {}.",
            report.workload
        ),
        None => format!(
            "Interrupted: {} of {} counts measured, all of them right.",
            report.measurements.len(),
            report.measurements.len() + report.unfinished.len()
        ),
    }
}

/// Three digits and a unit.
fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 0.9995 => (s, "s"),
        s if s >= 0.9995e-3 => (1e3 * s, "ms"),
        s => (1e6 * s, "us"),
    };
    format!("{} {unit}", three_digits(value))
}

fn amount(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 0.9995e12 => (v / 1e12, " T"),
        v if v >= 0.9995e9 => (v / 1e9, " G"),
        v if v >= 0.9995e6 => (v / 1e6, " M"),
        v if v >= 0.9995e3 => (v / 1e3, " k"),
        v => (v, ""),
    };
    format!("{}{unit}", three_digits(value))
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

fn three_digits(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(time(0.000_012_34), "12.3 us");
        assert_eq!(time(0.999_9), "1.00 s");
        assert_eq!(time(99.96), "100 s");
        assert_eq!(amount(1_820_000_000.0), "1.82 G");
        assert_eq!(amount(999.0), "999");
        assert_eq!(percent(0.0123), "1.2 %");
    }
}
