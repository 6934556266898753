//! One count, run several times.

use nqueens::known::{self, Known};
use nqueens::{Count, Error, Outcome, Problem, Stop};

use super::results::{Key, Measurement};
use super::workload::{self, Case};
use crate::cli::failure::Failure;
use crate::cli::machine;

/// Runs `case` once to warm up and then `runs` times, and checks every result. `None` if stopped.
pub(super) fn measure(
    case: Case,
    runs: usize,
    stop: &Stop,
) -> Result<Option<Measurement>, Failure> {
    let Some(warm_up) = run(case, stop)? else { return Ok(None) };
    let work = workload::expected_work(case.algorithm, case.n).unwrap_or(warm_up.work);
    check(case, &warm_up, work)?;
    let cpu_time = machine::cpu_time();
    let mut seconds = Vec::with_capacity(runs);
    for _ in 0..runs {
        let Some(outcome) = run(case, stop)? else { return Ok(None) };
        check(case, &outcome, work)?;
        seconds.push(outcome.elapsed.as_secs_f64());
    }
    let cpu_time = machine::cpu_time().zip(cpu_time).map(|(after, before)| after - before);
    let median = median(&seconds);
    let longest = seconds.iter().copied().fold(0.0, f64::max);
    let shortest = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    Ok(Some(Measurement {
        key: Key::from(case),
        count: warm_up.solutions.to_string(),
        work: work.to_string(),
        work_unit: case.algorithm.work_kind().name().into(),
        median,
        spread: (longest - shortest) / median,
        cpu_seconds: cpu_time.map(|time| time.as_secs_f64() / runs as f64),
        solutions_per_second: warm_up.solutions as f64 / median,
        work_per_second: work as f64 / median,
        speed_up: None,
        efficiency: None,
        seconds,
    }))
}

fn run(case: Case, stop: &Stop) -> Result<Option<Outcome>, Failure> {
    let count = Count::new(case.n)?.algorithm(case.algorithm).kernel(case.kernel);
    match count.threads(case.threads).stop(stop).run() {
        Ok(outcome) => Ok(Some(outcome)),
        Err(Error::Stopped) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Doubts a result: a time for something else than the right count is worth nothing.
fn check(case: Case, outcome: &Outcome, work: u128) -> Result<(), Failure> {
    let published = known::check(&Problem::new(case.n)?, outcome.solutions);
    if matches!(published, Ok(Known::Equal { .. })) && outcome.work == work {
        return Ok(());
    }
    Err(Failure::WrongResult(format!(
        "{case}: {} solutions and {} {}, but {} and {work} are right: this machine or program made \
         an error",
        outcome.solutions,
        outcome.work,
        case.algorithm.work_kind().name(),
        known::solutions(case.n).unwrap_or_default(),
    )))
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { sorted[middle - 1].midpoint(sorted[middle]) }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
