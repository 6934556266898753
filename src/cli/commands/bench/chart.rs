//! The report as a picture: time over board size, and speed-up over threads.
//!
//! Colours are classes, so that one file is legible on light and dark pages: a colour for each
//! algorithm, a kind of line for each kernel. Names stand beside the chart, where no line is.

use std::fmt::Write;

use super::results::{BenchReport, Measurement};
use super::workload::ALGORITHMS;

const WIDTH: f64 = 800.0;
const MARGIN: f64 = 70.0;
/// Room for names, to the right.
const NAMES: f64 = 230.0;
const PANEL: f64 = 330.0;
const TITLE: f64 = 76.0;
const LINE_HEIGHT: f64 = 22.0;

/// Colours on light and on dark pages, for `naive`, `arrays`, `bitboard`, `join` and what may come;
/// the contrast is at least 4.5 to 1 on both.
const COLOURS: [(&str, &str); 5] = [
    ("#57606a", "#9da7b3"),
    ("#8250df", "#c297ff"),
    ("#0860ca", "#6cb0ff"),
    ("#a83f00", "#ff9b57"),
    ("#116329", "#56d364"),
];

/// One line of a chart.
struct Series {
    name: String,
    /// Classes of its colour and kind of line.
    colour: usize,
    kernel: String,
    points: Vec<(f64, f64)>,
}

/// Draws the report.
pub(super) fn svg(report: &BenchReport) -> String {
    let threads = speed_ups(report);
    let panels = if threads.is_empty() { 1.0 } else { 2.0 };
    let height = panels * (PANEL + TITLE) + 60.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"Benchmark of nqueens\">\n\
         <style>\n{}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        style()
    );
    let _ = writeln!(svg, "<text class=\"small\" x=\"20\" y=\"26\">{}</text>", subtitle(report));
    times(&mut svg, report, 30.0 + TITLE);
    if !threads.is_empty() {
        speed_up_panel(&mut svg, &threads, 30.0 + PANEL + 2.0 * TITLE);
    }
    svg + "</svg>\n"
}

fn subtitle(report: &BenchReport) -> String {
    let incomplete = if report.complete { "" } else { ", interrupted: incomplete" };
    let BenchReport { build, machine, runs, .. } = report;
    let text = format!(
        "nqueens {} ({}), {}, median of {runs} runs{incomplete}",
        build.version,
        build.profile,
        machine.name()
    );
    escape(&text)
}

fn style() -> String {
    let mut style = "text { font: 14px system-ui, sans-serif; fill: #1f2328 }\n\
                     .title { font-size: 17px; font-weight: 600 }\n\
                     .small { font-size: 13px; fill: #57606a }\n\
                     .page { fill: #ffffff }\n.grid { stroke: #d1d9e0; fill: none }\n\
                     .ideal { stroke: #57606a; fill: none; stroke-width: 1.6; stroke-dasharray: 2 4 }\n\
                     .line { fill: none; stroke-width: 2.2; stroke-linejoin: round }\n\
                     .portable { stroke-dasharray: 7 4 }\n\
                     .avx512 { stroke-dasharray: 14 3 2 3 }\n"
        .to_string();
    for (index, (light, _)) in COLOURS.iter().enumerate() {
        let _ = writeln!(style, ".s{index} {{ stroke: {light} }} .f{index} {{ fill: {light} }}");
    }
    style += "@media (prefers-color-scheme: dark) {\ntext { fill: #e6edf3 }\n\
              .small { fill: #9da7b3 }\n.page { fill: #0d1117 }\n.grid { stroke: #30363d }\n\
              .ideal { stroke: #9da7b3 }\n";
    for (index, (_, dark)) in COLOURS.iter().enumerate() {
        let _ = writeln!(style, ".s{index} {{ stroke: {dark} }} .f{index} {{ fill: {dark} }}");
    }
    style + "}\n"
}

/// The line that `measurement` is part of.
fn series(measurement: &Measurement, name: String) -> Series {
    let key = &measurement.key;
    let known = ALGORITHMS.iter().position(|known| known.name() == key.algorithm);
    let colour = known.unwrap_or_default() % COLOURS.len();
    Series { name, colour, kernel: key.kernel.clone(), points: Vec::new() }
}

/// Lines of the growing counts, in the order of the report.
fn growing(report: &BenchReport) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for measurement in report.growing() {
        let name = measurement.key.series();
        if all.last().is_none_or(|series| series.name != name) {
            all.push(series(measurement, name));
        }
        let points = &mut all.last_mut().expect("one was just added").points;
        points.push((f64::from(measurement.key.board), measurement.median));
    }
    all
}

/// Lines of speed-ups, in threads of perfect efficiency.
fn speed_ups(report: &BenchReport) -> Vec<Series> {
    let line = |measurements: Vec<&Measurement>| {
        let first = measurements[0];
        let name = format!("{}, N = {}", first.key.series(), first.key.board);
        let point = |measurement: &&Measurement| {
            let threads = measurement.key.threads as f64;
            (threads, measurement.efficiency.unwrap_or(1.0) * threads)
        };
        Series { points: measurements.iter().map(point).collect(), ..series(first, name) }
    };
    report.scaling().into_iter().map(line).collect()
}

/// Where a chart stands, and how values become positions.
struct Panel {
    top: f64,
    x: (f64, f64),
    y: (f64, f64),
}

impl Panel {
    fn x(&self, value: f64) -> f64 {
        let part = (value - self.x.0) / (self.x.1 - self.x.0).max(f64::EPSILON);
        MARGIN + part * (WIDTH - MARGIN - NAMES)
    }

    fn y(&self, value: f64) -> f64 {
        let part = (value - self.y.0) / (self.y.1 - self.y.0).max(f64::EPSILON);
        self.top + (1.0 - part) * (PANEL - 40.0)
    }

    fn title(&self, svg: &mut String, title: &str) {
        let y = self.top - 22.0;
        let _ = writeln!(svg, "<text class=\"title\" x=\"20\" y=\"{y}\">{title}</text>");
    }

    fn horizontal(&self, svg: &mut String, value: f64, label: &str) {
        let (y, right) = (self.y(value), WIDTH - NAMES);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{MARGIN} {y:.1}H{right}\"/>\
             <text class=\"small\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{label}</text>",
            MARGIN - 9.0,
            y + 4.5
        );
    }

    fn below(&self, svg: &mut String, value: f64, label: &str) {
        let (x, y) = (self.x(value), self.top + PANEL - 20.0);
        let _ = writeln!(
            svg,
            "<text class=\"small\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{y}\">{label}</text>"
        );
    }

    /// Draws lines with a dot at each point, and their names beside the chart.
    fn lines(&self, svg: &mut String, all: &[Series]) {
        let left = WIDTH - NAMES + 22.0;
        for (index, Series { name, colour, kernel, points }) in all.iter().enumerate() {
            let points: Vec<(f64, f64)> =
                points.iter().map(|&(x, y)| (self.x(x), self.y(y))).collect();
            let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            let path = path.join("L");
            let y = self.top + index as f64 * LINE_HEIGHT;
            let _ = writeln!(
                svg,
                "<path class=\"line {kernel} s{colour}\" d=\"M{path}M{left} {y:.1}h34\"/>"
            );
            for (x, y) in points.into_iter().chain([(left + 17.0, y)]) {
                let _ = writeln!(
                    svg,
                    "<circle class=\"f{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"
                );
            }
            let (x, y, name) = (left + 42.0, y + 4.5, escape(name));
            let _ = writeln!(svg, "<text class=\"small\" x=\"{x}\" y=\"{y:.1}\">{name}</text>");
        }
    }
}

fn times(svg: &mut String, report: &BenchReport, top: f64) {
    let mut all = growing(report);
    let threads = report.measurements.first().map_or(1, |first| first.key.threads);
    let points = || all.iter().flat_map(|series| &series.points);
    let boards = points().map(|point| point.0);
    let (low, high) = (boards.clone().fold(32.0, f64::min), boards.fold(0.0, f64::max));
    let decades = points().map(|point| point.1.log10());
    let (fast, slow) = (decades.clone().fold(9.0, f64::min), decades.fold(-9.0, f64::max));
    let panel = Panel { top, x: (low, high.max(low + 1.0)), y: (fast.floor(), slow.ceil()) };
    let threads = if threads == 1 { "one thread".into() } else { format!("{threads} threads") };
    panel.title(svg, &format!("Time on {threads} over board size N"));
    if low > high {
        return;
    }
    for decade in fast.floor() as i32..=slow.ceil() as i32 {
        panel.horizontal(svg, decade.into(), &power_of_ten(decade));
    }
    for n in low as u32..=high as u32 {
        panel.below(svg, n.into(), &n.to_string());
    }
    for series in &mut all {
        for point in &mut series.points {
            point.1 = point.1.log10();
        }
    }
    panel.lines(svg, &all);
}

/// A time of 10^`decade` seconds.
fn power_of_ten(decade: i32) -> String {
    match decade {
        ..-3 => format!("{} us", 10_f64.powi(decade + 6)),
        -3..0 => format!("{} ms", 10_f64.powi(decade + 3)),
        0.. => format!("{} s", 10_f64.powi(decade)),
    }
}

fn speed_up_panel(svg: &mut String, all: &[Series], top: f64) {
    let points = || all.iter().flat_map(|series| &series.points);
    let threads = points().map(|point| point.0).fold(1.0, f64::max);
    let highest = points().map(|point| point.1).fold(threads, f64::max);
    let panel = Panel { top, x: (1.0, threads.max(2.0)), y: (0.0, highest.ceil()) };
    panel.title(svg, "Speed-up over threads (dotted: perfect)");
    let step = (highest / 8.0).ceil().max(1.0);
    let mut value = 0.0;
    while value <= highest.ceil() {
        panel.horizontal(svg, value, &value.to_string());
        value += step;
    }
    let mut labelled = f64::NEG_INFINITY;
    let mut counts: Vec<f64> = points().map(|point| point.0).collect();
    counts.sort_by(f64::total_cmp);
    for count in counts {
        // Numbers that would touch the one before are left out.
        if panel.x(count) - labelled >= 24.0 {
            panel.below(svg, count, &count.to_string());
            labelled = panel.x(count);
        }
    }
    let _ = writeln!(
        svg,
        "<path class=\"ideal\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
        panel.x(1.0),
        panel.y(1.0),
        panel.x(threads),
        panel.y(threads)
    );
    panel.lines(svg, all);
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
