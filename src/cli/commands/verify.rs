//! `nqueens verify`: counts saved units again.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use nqueens::{Difference, Verified, Verify, checkpoint, known};
use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::progress::Progress;
use crate::cli::report::write_json_or;

/// Counts saved units again, in another way, and names each that differs: exit code 3.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The checkpoint file
    file: PathBuf,

    /// Count only a random sample again
    #[arg(long, value_name = "PERCENT", default_value = "100%", allow_hyphen_values = true, value_parser = parse_share)]
    sample: f64,

    /// Take damaged and repeated lines out of the file first, and keep it as FILE.damaged
    #[arg(long)]
    repair: bool,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

fn parse_share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim_end().parse::<f64>().ok());
    percent
        .map(|percent| percent / 100.0)
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .ok_or_else(|| "a sample is a percentage above 0% and up to 100%, such as 1%".into())
}

/// The JSON of `verify`: this struct is the schema. Counts and work are strings.
#[derive(Debug, Serialize)]
struct VerifyReport {
    /// Board size.
    board: u32,
    /// Units saved.
    done: u64,
    /// Units counted again.
    recounted: u64,
    /// How many of them in which way.
    ways: Vec<(String, u64)>,
    /// Units that differ.
    differences: Vec<DifferenceReport>,
}

/// A unit that differs.
#[derive(Debug, Serialize)]
struct DifferenceReport {
    /// The unit.
    unit: u64,
    /// Boards and work in the file.
    saved: (String, String),
    /// Boards and work now.
    recounted: (String, String),
    /// How it was counted now.
    way: String,
}

impl VerifyArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        if self.repair {
            context.note(&match checkpoint::repair(&self.file, context)? {
                Some(damaged) => format!("repaired; the damaged file is now {}", damaged.display()),
                None => "there is nothing to repair".into(),
            });
        }
        let verified = self.verify(context)?;
        write_json_or(self.json, output, &verify_report(&verified), || verify_text(&verified))?;
        judge(&verified)
    }

    fn verify(&self, context: &Context) -> Result<Verified, Failure> {
        let run = checkpoint::run(&self.file)?;
        let progress = Progress::new(context, run.n);
        let verify = Verify::new(&self.file).share(self.sample).threads(context.threads());
        Ok(verify.observer(&progress).run()?)
    }
}

/// Exit code 3 if anything is wrong.
fn judge(verified: &Verified) -> Result<(), Failure> {
    let Verified { saved, differences, recounted, .. } = verified;
    if !differences.is_empty() {
        let message = format!("{} of {recounted} units differ", differences.len());
        return Err(Failure::WrongResult(message));
    }
    if saved.units_done() == saved.run.units {
        known::check(&saved.run.problem()?, saved.solutions)?;
    }
    Ok(())
}

fn verify_report(verified: &Verified) -> VerifyReport {
    let pair = |tally: &nqueens::Tally| (tally.solutions.to_string(), tally.work.to_string());
    let difference = |difference: &Difference| DifferenceReport {
        unit: difference.unit,
        saved: pair(&difference.saved),
        recounted: pair(&difference.recounted),
        way: difference.way.clone(),
    };
    VerifyReport {
        board: verified.saved.run.n,
        done: verified.saved.units_done(),
        recounted: verified.recounted,
        ways: verified.ways.clone(),
        differences: verified.differences.iter().map(difference).collect(),
    }
}

fn verify_text(verified: &Verified) -> String {
    let work = verified.saved.run.algorithm.work_kind().name();
    let mut text = String::new();
    for Difference { unit, saved, recounted, way, .. } in &verified.differences {
        let _ = writeln!(
            text,
            "unit {unit} differs: saved {} boards and {} {work}, now {} and {} ({way})",
            saved.solutions, saved.work, recounted.solutions, recounted.work
        );
    }
    let Verified { saved, recounted, ways, .. } = verified;
    let ways: Vec<String> = ways.iter().map(|(way, units)| format!("{units} by {way}")).collect();
    let ways = if ways.is_empty() { "none".into() } else { ways.join(", ") };
    let equal = recounted - verified.differences.len() as u64;
    let (done, units) = (saved.units_done(), saved.run.units);
    let _ = writeln!(text, "{done} of {units} units saved; counted again: {ways}; equal: {equal}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(parse_share("1%"), Ok(0.01));
        assert_eq!(parse_share("100%"), Ok(1.0));
        for text in ["0%", "-1%", "101%", "1", "%", "x%", "NaN%", "inf%", ""] {
            assert!(parse_share(text).is_err(), "{text}");
        }
    }
}
