//! Reports in files: JSON, CSV, Markdown and SVG.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use super::results::{BenchReport, Measurement};
use super::{chart, table};
use crate::cli::failure::Failure;
use crate::cli::report::{pretty_json, write_text};
use crate::cli::wording::shown;

/// Where reports are to be written.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Reports (FILE may be - for standard output, once)")]
pub(crate) struct ExportArgs {
    /// Everything, for programs and for --baseline
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,

    /// A line for each measurement
    #[arg(long, value_name = "FILE")]
    export_csv: Option<PathBuf>,

    /// The tables, for a web page or an issue
    #[arg(long, value_name = "FILE")]
    export_markdown: Option<PathBuf>,

    /// Charts: time over N, speed-up over threads
    #[arg(long, value_name = "FILE")]
    export_svg: Option<PathBuf>,
}

/// The files, opened before the first measurement so that no minute is spent in vain.
#[derive(Debug)]
pub(super) struct Exports(Vec<Export>);

type Writer = fn(&BenchReport) -> String;

#[derive(Debug)]
struct Export {
    write: Writer,
    path: PathBuf,
    /// `None` for standard output.
    file: Option<File>,
}

impl Exports {
    /// Opens the files, and leaves what is in them.
    pub(super) fn open(args: &ExportArgs) -> Result<Self, Failure> {
        let exports: [(&Option<PathBuf>, Writer); 4] = [
            (&args.export_json, pretty_json),
            (&args.export_csv, csv),
            (&args.export_markdown, table::markdown),
            (&args.export_svg, chart::svg),
        ];
        let mut opened: Vec<Export> = Vec::new();
        for (path, write) in exports {
            let Some(path) = path else { continue };
            let file = if path == Path::new("-") { None } else { Some(open(path)?) };
            // A canonical path exists for every file that is open.
            let same = |other: &Export| path.canonicalize().ok() == other.path.canonicalize().ok();
            if opened.iter().any(|other| other.path == *path || (file.is_some() && same(other))) {
                let message = format!("two reports cannot both be written to {}", shown(path));
                return Err(Failure::Usage(message));
            }
            opened.push(Export { write, path: path.clone(), file });
        }
        Ok(Self(opened))
    }

    /// Whether a report goes to standard output, so that nothing else may.
    pub(super) fn to_standard_output(&self) -> bool {
        self.0.iter().any(|export| export.file.is_none())
    }

    /// Writes all reports.
    pub(super) fn write(self, report: &BenchReport, mut output: impl Write) -> Result<(), Failure> {
        for Export { write, path, file } in self.0 {
            let text = write(report);
            match file {
                None => write_text(&mut output, &text)?,
                Some(file) => replace(file, &text).map_err(|error| cannot_write(&path, &error))?,
            }
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    file.map_err(|error| cannot_write(path, &error))
}

/// Writes `text` instead of what was there. Devices and pipes have no length.
fn replace(mut file: File, text: &str) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
        file.rewind()?;
    }
    file.write_all(text.as_bytes())?;
    file.flush()
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Run(format!("cannot write to {}: {error}", shown(path)))
}

/// One line for each measurement; `complete` is `false` on all lines if some are missing.
fn csv(report: &BenchReport) -> String {
    let mut text = "algorithm,kernel,board,threads,median_seconds,min_seconds,max_seconds,spread,\
                    cpu_seconds,runs,count,work,work_unit,solutions_per_second,work_per_second,\
                    speed_up,efficiency,version,commit,profile,complete\n"
        .to_string();
    for measurement in &report.measurements {
        text += &csv_fields(report, measurement).join(",");
        text += "\n";
    }
    text
}

fn csv_fields(report: &BenchReport, measurement: &Measurement) -> Vec<String> {
    let Measurement { key, seconds, .. } = measurement;
    let seconds_text = |value: f64| format!("{value:.9}");
    let ratio = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    vec![
        key.algorithm.clone(),
        key.kernel.clone(),
        key.board.to_string(),
        key.threads.to_string(),
        seconds_text(measurement.median),
        seconds_text(seconds.iter().copied().fold(f64::INFINITY, f64::min)),
        seconds_text(seconds.iter().copied().fold(0.0, f64::max)),
        ratio(Some(measurement.spread)),
        measurement.cpu_seconds.map_or(String::new(), seconds_text),
        seconds.len().to_string(),
        measurement.count.clone(),
        measurement.work.clone(),
        measurement.work_unit.clone(),
        format!("{:.0}", measurement.solutions_per_second),
        format!("{:.0}", measurement.work_per_second),
        ratio(measurement.speed_up),
        ratio(measurement.efficiency),
        report.build.version.clone(),
        report.build.commit.clone(),
        report.build.profile.clone(),
        report.complete.to_string(),
    ]
}
