//! Tasks, results and their sums.

use super::File;
use crate::tasks::{FaultKind, LineError, Merge, Plan, Task, TaskCounter, TaskResult};
use crate::units::UnitSet;
use crate::{Algorithm, Count, Error, Observer, Problem, Run, Stop, Tally};

fn run(n: u32, algorithm: Algorithm) -> Run {
    Run::new(&Problem::new(n).unwrap(), algorithm, None).unwrap()
}

fn results(plan: &Plan) -> Vec<TaskResult> {
    let mut counter = TaskCounter::new().threads(2).memory(1 << 30);
    plan.tasks().map(|task| counter.run(&task, &(), &Stop::new()).unwrap()).collect()
}

fn lines(results: &[TaskResult]) -> Vec<String> {
    results.iter().map(TaskResult::to_line).collect()
}

fn merged(lines: &[String]) -> Merge {
    let mut merge = Merge::new();
    merge.read("results", lines.join("\n").as_bytes()).unwrap();
    merge
}

#[test]
fn every_unit_is_in_one_task() {
    for n in [0, 2, 12] {
        for &algorithm in Algorithm::ALL {
            if !algorithm.supports(&Problem::new(n).unwrap()) {
                continue;
            }
            let run = run(n, algorithm);
            for units in [1, 2, 3, 7, 10, 64, 1000, 10_000] {
                let plan = Plan::new(run.clone(), Some(units));
                let mut seen = UnitSet::new(run.units);
                for task in plan.tasks() {
                    assert_eq!(Task::from_line(&task.to_line()), Ok(task.clone()));
                    assert!(task.units.clone().all(|unit| seen.insert(unit)));
                }
                assert_eq!(seen.len(), run.units);
                assert_eq!(plan.tasks().count() as u64, plan.tasks_len());
            }
        }
    }
}

#[test]
fn the_number_of_tasks_is_known_at_once() {
    // Placements of the first four rows of 13 without symmetry: 6404 (OEIS A319284).
    let problem = Problem::new(13).unwrap();
    let run = Run::new(&problem, Algorithm::Bitboard, Some(4)).unwrap();
    assert_eq!(Plan::new(run, Some(1)).tasks_len(), 6404 / 2);
    let large = Run::new(&Problem::new(27).unwrap(), Algorithm::Bitboard, Some(5)).unwrap();
    let plan = Plan::new(large, Some(1));
    assert!(plan.tasks_len() > 1_000_000);
    assert_eq!(plan.tasks().take(3).map(|task| task.units.start).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn results_add_up_to_the_count() {
    for n in 0..=10 {
        let problem = Problem::new(n).unwrap();
        for algorithm in Algorithm::ALL.iter().copied().filter(|one| one.supports(&problem)) {
            let expected = Count::of(problem.clone()).algorithm(algorithm).run().unwrap();
            for units in [1, 3, 1000] {
                let plan = Plan::new(run(n, algorithm), Some(units));
                let mut lines = lines(&results(&plan));
                fastrand::Rng::with_seed(u64::from(n)).shuffle(&mut lines);
                let merge = merged(&lines);
                assert!(merge.is_complete(), "{n} {algorithm}: {:?}", merge.faults());
                assert_eq!(merge.solutions(), expected.solutions);
                assert_eq!(merge.work(), expected.work);
                assert_eq!(merge.confirmed(), 0);
            }
        }
    }
}

#[test]
fn boards_with_given_queens_and_toroidal_ones() {
    let placed = Problem::new(9).unwrap().with_queen(4, 1).unwrap();
    for (problem, algorithm) in
        [(placed, Algorithm::Bitboard), (Problem::toroidal(7).unwrap(), Algorithm::Toroidal)]
    {
        let run = Run::new(&problem, algorithm, None).unwrap();
        let merge = merged(&lines(&results(&Plan::new(run, Some(2)))));
        let count = Count::of(problem).algorithm(algorithm).run().unwrap();
        assert!(merge.is_complete());
        assert_eq!(merge.solutions(), count.solutions);
    }
}

#[test]
fn repeated_and_overlapping_results_are_counted_once() {
    let run = run(10, Algorithm::Bitboard);
    let mut all = Vec::new();
    for units in [1, 4, 7, 1000] {
        all.extend(lines(&results(&Plan::new(run.clone(), Some(units)))));
    }
    let merge = merged(&all);
    assert!(merge.is_complete());
    assert_eq!((merge.solutions(), merge.confirmed()), (724, 3 * run.units));
}

#[test]
fn units_without_solutions_are_results() {
    for (n, solutions) in [(6, 4), (8, 92)] {
        let run = Run::new(&Problem::new(n).unwrap(), Algorithm::Bitboard, Some(4)).unwrap();
        let results = results(&Plan::new(run, Some(1)));
        let empty = results.iter().filter(|result| result.solutions() == 0).count();
        assert!(empty > results.len() / 3, "{empty}");
        let merge = merged(&lines(&results));
        assert!(merge.is_complete());
        assert_eq!(merge.solutions(), solutions);
    }
}

#[test]
fn different_tallies_of_a_unit_are_named() {
    let results = results(&Plan::new(run(10, Algorithm::Bitboard), Some(4)));
    for change in [Tally { solutions: 1, work: 0 }, Tally { solutions: 0, work: 1 }] {
        let mut wrong = results[2].clone();
        wrong.tallies[1].solutions += change.solutions;
        wrong.tallies[1].work += change.work;
        assert!(wrong.difference(&results[2]).is_some_and(|(unit, ..)| unit == 9));
        let mut lines = lines(&results);
        lines.push(wrong.to_line());
        let merge = merged(&lines);
        assert!(!merge.is_complete());
        let [fault] = merge.faults() else { panic!("{:?}", merge.faults()) };
        assert!(matches!(&fault.kind, FaultKind::Differs { unit: 9, here, there, before }
            if *here == wrong.tallies[1] && *there == results[2].tallies[1] && before.line == Some(3)));
        assert_eq!(fault.place.line, Some(results.len() as u64 + 1));
    }
    assert_eq!(results[0].difference(&results[0]), None);
    assert_eq!(results[0].difference(&results[1]), None);
}

#[test]
fn what_is_missing_is_a_plan() {
    let run = run(10, Algorithm::Bitboard);
    let results = results(&Plan::new(run, Some(3)));
    let mut random = fastrand::Rng::with_seed(10);
    for share in [0.0, 0.1, 0.5, 0.9] {
        let mut kept = results.clone();
        kept.retain(|result| result.first > 0 && random.f64() < share);
        // Something must say what there is to be counted.
        let plan = Task { run: results[0].run.clone(), units: 0..0 };
        let mut lines = lines(&kept);
        lines.push(plan.to_line());
        let merge = merged(&lines);
        assert!(!merge.is_complete());
        let mut counter = TaskCounter::new().threads(1);
        for task in merge.missing() {
            assert!(kept.is_empty() || (1..=3).contains(&(task.units.end - task.units.start)));
            lines.push(counter.run(&task, &(), &Stop::new()).unwrap().to_line());
        }
        let merge = merged(&lines);
        assert!(merge.is_complete());
        assert_eq!((merge.solutions(), merge.confirmed()), (724, 0));
    }
    assert!(!merged(&[]).is_complete());
    assert_eq!(merged(&[]).missing().count(), 0);
}

#[test]
fn a_stopped_task_gives_its_first_units() {
    struct StopAfter(u64, Stop);
    impl Observer for StopAfter {
        fn finished(&self, unit: u64, _: Tally, _: std::time::Duration) {
            if unit >= self.0 {
                self.1.request();
            }
        }
    }
    let run = run(10, Algorithm::Bitboard);
    let whole = &results(&Plan::new(run.clone(), Some(1000)))[0];
    for threads in [1, 2, 8] {
        for unit in [0, 5, run.units - 1] {
            let stop = Stop::new();
            let mut counter = TaskCounter::new().threads(threads);
            let task = Task { run: run.clone(), units: 0..run.units };
            let part = counter.run(&task, &StopAfter(unit, stop.clone()), &stop).unwrap();
            assert!(part.tallies.len() as u64 > unit);
            assert!(part.tallies.len() as u64 <= unit + threads as u64);
            assert_eq!(part.difference(whole), None);
            assert_eq!(TaskResult::from_line(&part.to_line()), Ok(part));
        }
    }
}

#[test]
fn every_change_of_a_result_is_noticed() {
    let result = &results(&Plan::new(run(8, Algorithm::Bitboard), Some(3)))[1];
    let line = result.to_line();
    assert_eq!(TaskResult::from_line(&line), Ok(result.clone()));
    for end in 0..line.len() {
        assert!(TaskResult::from_line(&line[..end]).is_err(), "cut at {end}");
    }
    for (place, byte) in line.bytes().enumerate() {
        for new in *b"07aA\" ,x}" {
            let mut changed = line.clone().into_bytes();
            changed[place] = new;
            let changed = String::from_utf8(changed).unwrap();
            // A check sum may be written in capitals, and spaces between fields are none.
            if let Ok(read) = TaskResult::from_line(&changed) {
                assert_eq!(read, *result, "{} for {} at {place}", new as char, byte as char);
            }
        }
    }
}

#[test]
fn other_writers_of_json_change_nothing() {
    let result = &results(&Plan::new(run(8, Algorithm::Bitboard), Some(3)))[0];
    let value: serde_json::Value = serde_json::from_str(&result.to_line()).unwrap();
    // In alphabetical order, with spaces.
    let other = serde_json::to_string_pretty(&value).unwrap().replace('\n', " ");
    assert_ne!(other, result.to_line());
    assert_eq!(TaskResult::from_line(&other), Ok(result.clone()));
}

#[test]
fn lines_of_others_are_refused() {
    let task = Plan::new(run(8, Algorithm::Bitboard), Some(3)).tasks().next().unwrap();
    let reason = |line: &str| Task::from_line(line).unwrap_err().to_string();
    let line = task.to_line();
    assert!(reason("# my notes").contains("begin with a brace"));
    assert!(reason("{}").contains("neither the field task nor result"));
    assert!(reason("{\"task\":1,\"result\":1}").contains("both fields"));
    assert!(reason(&line.replace("\"task\":1", "\"task\":2")).contains("has format 2"));
    assert!(reason(&line.replace("bitboard", "BITBOARD")).contains("no algorithm \"BITBOARD\""));
    assert!(reason(&line.replace("\"board\":8", "\"board\":9")).contains("does not belong"));
    assert!(reason(&line.replace("\"units\":3", "\"units\":300")).contains("more than there are"));
    let far = line.replace("\"first\":0", "\"first\":18446744073709551615");
    assert!(reason(&far).contains("more than there are"));
    assert!(reason(&results(&Plan::new(task.run.clone(), None))[0].to_line()).contains("a result"));

    // Units by other rules are read, and then refused by who would count them.
    for change in [|run: &mut Run| run.rules += 1, |run: &mut Run| run.units = u64::MAX] {
        let mut other = task.clone();
        change(&mut other.run);
        let read = Task::from_line(&other.to_line()).unwrap();
        let counted = TaskCounter::new().run(&read, &(), &Stop::new());
        assert!(matches!(counted, Err(Error::OtherUnits(_))), "{counted:?}");
        let merge = merged(&[other.to_line()]);
        assert!(matches!(&merge.faults()[0].kind, FaultKind::Line(LineError::OtherUnits(_))));
    }
}

#[test]
fn results_of_two_runs_do_not_mix() {
    let one = results(&Plan::new(run(8, Algorithm::Bitboard), None));
    let mut two = results(&Plan::new(run(9, Algorithm::Bitboard), None));
    two.truncate(1);
    let merge = merged(&[lines(&one), lines(&two)].concat());
    let [fault] = merge.faults() else { panic!("{:?}", merge.faults()) };
    let text = fault.to_string();
    assert!(text.contains("another run than results, line 1: its board is 9, not 8"), "{text}");
}

#[test]
fn checkpoint_files_are_filled_and_read() {
    for algorithm in [Algorithm::Bitboard, Algorithm::Join] {
        let file = File::new(&format!("filled-{algorithm}"));
        let results = results(&Plan::new(run(10, algorithm), Some(4)));
        let (one, two) = results.split_at(results.len() / 2);
        let units: u64 = one.iter().map(|result| result.tallies.len() as u64).sum();
        assert_eq!(merged(&lines(one)).fill_checkpoint(&file.0, &()).unwrap(), units);
        assert_eq!(merged(&lines(one)).fill_checkpoint(&file.0, &()).unwrap(), 0);
        let saved = crate::checkpoint::read(&file.0, |_, _| ()).unwrap();
        assert_eq!(saved.units_done(), units);

        // The file goes together with the other results, and can be resumed.
        let mut merge = merged(&lines(two));
        merge.read_file(&file.0).unwrap();
        assert!(merge.is_complete());
        assert_eq!((merge.solutions(), merge.confirmed()), (724, 0));
        let count = Count::new(10).unwrap().algorithm(algorithm).checkpoint(&file.0);
        assert_eq!(count.run().unwrap().solutions, 724);
        let verified = crate::Verify::new(&file.0).threads(2).run().unwrap();
        assert_eq!(verified.differences, []);
        assert_eq!(verified.recounted, results[0].run.units);
        let mut merge = merged(&lines(one));
        merge.read_file(&file.0).unwrap();
        assert_eq!((merge.is_complete(), merge.confirmed()), (true, units));
    }
}
