//! What single units hold, written down once: a number of a unit must mean the same for ever, or the
//! rules version of its algorithm grows.
//!
//! `golden_runs.csv` has the number of units and the work above them for every board; `golden_units.csv`
//! the tallies of some units; `golden_places.csv` where units of boards lie whose tallies take too
//! long. The tables are never made from the program again: whoever sees a test fail here has changed
//! what files and tasks of earlier versions mean.

use std::fmt::Write as _;

use super::settings;
use crate::algorithm::Algorithm;
use crate::counter::Counter;
use crate::kernel::Kernel;
use crate::problem::Problem;
use crate::run::Run;
use crate::split::Split;
use crate::split::tiles::Tile;

const RUNS: &str = include_str!("../../tests/data/golden_runs.csv");
const UNITS: &str = include_str!("../../tests/data/golden_units.csv");
const PLACES: &str = include_str!("../../tests/data/golden_places.csv");

/// A run by the first four fields of a line: board, queens, algorithm, depth.
struct Row<'a> {
    problem: Problem,
    algorithm: Algorithm,
    depth: Option<u32>,
    rest: Vec<&'a str>,
}

impl<'a> Row<'a> {
    fn read(line: &'a str) -> Self {
        let fields: Vec<&str> = line.split(',').collect();
        let n = fields[0].parse().unwrap();
        let algorithm = Algorithm::from_name(fields[2]).unwrap();
        let toroidal = algorithm == Algorithm::Toroidal;
        let mut problem = if toroidal { Problem::toroidal(n) } else { Problem::new(n) }.unwrap();
        for square in fields[1].split_terminator(';') {
            let (row, column) = square.split_once('-').unwrap();
            problem = problem.with_queen(row.parse().unwrap(), column.parse().unwrap()).unwrap();
        }
        Self { problem, algorithm, depth: fields[3].parse().ok(), rest: fields[4..].to_vec() }
    }

    fn split(&self) -> Split {
        Split::new(&self.problem, self.algorithm, self.depth).unwrap()
    }

    fn counter(&self, kernel: Kernel) -> Box<dyn Counter> {
        self.algorithm.counter(&self.problem, self.split(), &settings(kernel)).unwrap()
    }

    fn run(&self) -> Run {
        Run::new(&self.problem, self.algorithm, self.depth).unwrap()
    }
}

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    table.lines().skip(1).map(Row::read)
}

fn numbers<const LEN: usize>(fields: &[&str]) -> [u64; LEN] {
    let numbers: Vec<u64> = fields.iter().map(|field| field.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
fn numbers_of_units() {
    for row in rows(RUNS) {
        let [depth, rules, units, work_above] = numbers(&row.rest);
        let run = row.run();
        let found = (u64::from(run.depth), u64::from(run.rules), run.units);
        assert_eq!(found, (depth, rules, units), "{run:?}");
        assert_eq!(row.split().work_above(), work_above, "{run:?}");
    }
}

#[test]
fn tallies_of_units() {
    for rows in runs(UNITS) {
        for kernel in Kernel::available() {
            // Without vectors units of large boards take seconds.
            if rows[0].problem.n() > 17 && kernel != Kernel::best() {
                continue;
            }
            let counter = rows[0].counter(kernel);
            let mut worker = counter.worker();
            for row in &rows {
                let [unit, solutions, work] = numbers(&row.rest);
                let found = worker(unit).unwrap();
                assert_eq!(
                    (found.solutions, found.work),
                    (solutions, work),
                    "{:?} {unit}",
                    row.run()
                );
            }
        }
    }
}

#[test]
fn places_of_units() {
    for rows in runs(PLACES) {
        let split = rows[0].split();
        for row in &rows {
            let unit = row.rest[0].parse().unwrap();
            assert_eq!(place(&split, unit), row.rest[1], "{:?} {unit}", row.run());
        }
    }
}

/// The lines of a table, those of one run together.
fn runs(table: &str) -> Vec<Vec<Row<'_>>> {
    let rows: Vec<Row<'_>> = rows(table).collect();
    let mut runs: Vec<Vec<Row<'_>>> = Vec::new();
    for row in rows {
        let same = |run: &&mut Vec<Row<'_>>| {
            let first = &run[0];
            (&first.problem, first.algorithm, first.depth)
                == (&row.problem, row.algorithm, row.depth)
        };
        match runs.last_mut().filter(same) {
            Some(run) => run.push(row),
            None => runs.push(vec![row]),
        }
    }
    runs
}

/// Where a unit lies: the columns of its queens, or its column sets.
fn place(split: &Split, unit: u64) -> String {
    if let Split::Tiles(tiles) = split {
        let Tile { case, size, west, east } = tiles.get(unit);
        return format!("{case:?} {size} {}-{} {}-{}", west.start, west.end, east.start, east.end);
    }
    let problem = split.as_problem(unit).unwrap().problem;
    let columns = problem.queens().iter().map(|(_, column)| column.to_string());
    columns.collect::<Vec<_>>().join("-")
}

/// Boards, queens, algorithm and depth of the tables.
fn cases() -> Vec<(u32, &'static str, &'static str, &'static str)> {
    let mut cases = Vec::new();
    for n in 0..=32 {
        for algorithm in ["naive", "arrays", "bitboard", "toroidal", "join"] {
            if algorithm != "join" || n >= 4 {
                cases.push((n, "", algorithm, ""));
            }
        }
    }
    for (n, depth) in
        [(1, "1"), (2, "1"), (7, "1"), (8, "1"), (8, "3"), (9, "4"), (11, "5"), (13, "7")]
    {
        cases.push((n, "", "bitboard", depth));
    }
    for (n, queens) in [(6, "0-1"), (8, "2-4"), (9, "4-4;0-3"), (12, "11-0")] {
        for algorithm in ["naive", "arrays", "bitboard"] {
            cases.push((n, queens, algorithm, ""));
        }
    }
    cases
}

#[test]
#[ignore = "writes the tables; for a new algorithm, or a higher rules version"]
fn write_the_tables() {
    let mut runs = "board,queens,algorithm,depth_asked,depth,rules,units,work_above\n".to_string();
    let mut units = "board,queens,algorithm,depth_asked,unit,solutions,work\n".to_string();
    let mut places = "board,queens,algorithm,depth_asked,unit,place\n".to_string();
    for (n, queens, algorithm, depth) in cases() {
        let start = format!("{n},{queens},{algorithm},{depth}");
        let row = Row::read(&start);
        let (run, split, counter) = (row.run(), row.split(), row.counter(Kernel::best()));
        let (depth, rules, len) = (run.depth, run.rules, run.units);
        writeln!(runs, "{start},{depth},{rules},{len},{}", split.work_above()).unwrap();
        let mut chosen = [0, 1, len / 3, len / 2, len.saturating_sub(2), len.saturating_sub(1)];
        chosen.sort_unstable();
        let last = match algorithm {
            "naive" => 10,
            "arrays" => 11,
            "bitboard" => 16,
            "toroidal" => 17,
            _ => 20,
        };
        let mut worker = counter.worker();
        let mut before = None;
        for unit in chosen.into_iter().filter(|&unit| unit < len) {
            if before.replace(unit) == Some(unit) {
                continue;
            }
            if n <= last {
                let tally = worker(unit).unwrap();
                writeln!(units, "{start},{unit},{},{}", tally.solutions, tally.work).unwrap();
            }
            if matches!(algorithm, "bitboard" | "join") && queens.is_empty() {
                writeln!(places, "{start},{unit},{}", place(&split, unit)).unwrap();
            }
        }
    }
    for (name, text) in [("runs", runs), ("units", units), ("places", places)] {
        std::fs::write(format!("tests/data/golden_{name}.csv"), text).unwrap();
    }
}
