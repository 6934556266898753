//! Values at and beyond the edges of what public calls take: an error or a right answer, never a panic.

use std::path::PathBuf;

use crate::tasks::{MAX_TASK_UNITS, Merge, Task, TaskCounter};
use crate::{
    Algorithm, Count, Error, ErrorKind, Estimate, FileError, Problem, Run, Stop, Verify, checkpoint,
};

#[test]
fn tasks_of_units_that_do_not_exist() {
    let problem = Problem::new(8).unwrap();
    for &algorithm in Algorithm::ALL.iter().filter(|one| one.supports(&problem)) {
        let run = Run::new(&problem, algorithm, None).unwrap();
        let units = run.units;
        for (start, end) in
            [(5, 3), (0, units + 1), (units, units + 1), (u64::MAX, u64::MAX), (u64::MAX, 0)]
        {
            let expected = Err(Error::NoSuchUnits { start, end, units });
            assert_eq!(Task::new(run.clone(), start..end), expected);
            let task = Task { run: run.clone(), units: start..end };
            let counted = TaskCounter::new().run(&task, &(), &Stop::new());
            assert_eq!(counted.map(|_| ()), expected.map(|_| ()), "{algorithm} {start}..{end}");
            // A line can be made of anything; who reads it refuses what is wrong.
            assert!(Task::from_line(&task.to_line()).is_err() || task.units.is_empty());
        }
        let empty = Task::new(run.clone(), units..units).unwrap();
        let result = TaskCounter::new().run(&empty, &(), &Stop::new()).unwrap();
        assert_eq!(result.tallies, []);
    }
    let large = Run::new(&Problem::new(20).unwrap(), Algorithm::Bitboard, None).unwrap();
    assert!(large.units > MAX_TASK_UNITS);
    assert!(Task::new(large, 0..MAX_TASK_UNITS + 1).is_err());
}

#[test]
fn runs_that_were_made_by_hand() {
    let run = Run::new(&Problem::new(8).unwrap(), Algorithm::Bitboard, None).unwrap();
    let changes: [fn(&mut Run); 6] = [
        |run| run.n = 33,
        |run| run.n = 7,
        |run| run.depth = u32::MAX,
        |run| run.units = u64::MAX,
        |run| run.queens = vec![(u32::MAX, 0)],
        |run| run.toroidal = true,
    ];
    for change in changes {
        let mut other = run.clone();
        change(&mut other);
        assert_ne!(other.id(), run.id());
        let task = Task { run: other, units: 0..1 };
        assert!(TaskCounter::new().run(&task, &(), &Stop::new()).is_err(), "{task:?}");
    }
}

#[test]
fn shares_that_are_none() {
    for share in [0.0, -0.0, -1.0, 1.000_001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = Verify::new("no such file").share(share).run().unwrap_err();
        assert!(matches!(refused, Error::Share { .. }), "{share}: {refused}");
        assert_eq!(refused.kind(), ErrorKind::Usage);
    }
}

#[test]
fn threads_that_are_none_or_too_many() {
    for threads in [0, 4097, usize::MAX] {
        let expected = Error::ThreadCount { threads, max: 4096 };
        for n in [4, 8, 12] {
            assert_eq!(Count::new(n).unwrap().threads(threads).run().unwrap_err(), expected);
        }
        assert_eq!(Estimate::new(8).unwrap().threads(threads).run().unwrap_err(), expected);
        assert_eq!(expected.kind(), ErrorKind::Limit);
    }
}

#[test]
fn estimates_keep_to_their_time_and_threads() {
    let time = std::time::Duration::from_millis(200);
    let placed = Problem::new(17).unwrap().with_queen(0, 3).unwrap();
    let estimate = Estimate::of(placed).algorithm(Algorithm::Arrays).threads(1).time(time);
    let found = estimate.run().unwrap();
    // A unit of the board itself would take the time a hundred times.
    assert!(found.time.timed_board < 17 && found.time.seconds > 5.0, "{found:?}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let estimate = Estimate::new(14).unwrap().threads(8).time(time);
    assert_eq!(pool.install(|| estimate.run()).unwrap().threads, 1);
    // Nothing to be timed, and nothing random.
    let forever = Estimate::new(2).unwrap().threads(2).time(std::time::Duration::MAX);
    assert_eq!(forever.run().unwrap().solutions.value, 0.0);
}

#[test]
fn what_was_told_of_a_choice_is_what_runs() {
    let mut count = Count::new(12).unwrap().memory(1 << 30);
    let (algorithm, reason) = count.choice().unwrap();
    let outcome = count.memory(0).algorithm(Algorithm::Join).run().unwrap();
    assert_eq!((outcome.algorithm, outcome.reason), (algorithm, reason));
}

/// A checkpoint file of these lines, each with its check sum.
fn checkpoint_of(name: &str, lines: &[&str]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("nqueens-edges-{name}-{}", std::process::id()));
    let first = crc32fast::hash(lines[0].as_bytes());
    let mut text = format!("{} {first:08x}\n", lines[0]);
    for line in &lines[1..] {
        let mut hasher = crc32fast::Hasher::new_with_initial(first);
        hasher.update(line.as_bytes());
        text += &format!("{line} {:08x}\n", hasher.finalize());
    }
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_file_that_claims_absurd_numbers() {
    let run = "nqueens-checkpoint 1 board 8 edges open queens - algorithm bitboard depth 2 rules 1";
    for units in [0, 22, 1 << 40, u64::MAX] {
        let file = checkpoint_of("units", &[&format!("{run} units {units} version 0.1.0")]);
        let refused = checkpoint::read(&file, |_, _| ()).unwrap_err();
        let FileError::OtherUnits { mismatch, .. } = refused else { panic!("{refused}") };
        assert_eq!((mismatch.field, mismatch.found), ("units", units.to_string()));
        std::fs::remove_file(file).unwrap();
    }
    let impossible =
        [("board 8", "board 33"), ("depth 2", "depth 9"), ("queens -", "queens 1,1;2,2")];
    for (possible, not) in impossible {
        let line = format!("{run} units 21 version 0.1.0").replace(possible, not);
        let file = checkpoint_of("impossible", &[&line]);
        let refused = checkpoint::read(&file, |_, _| ()).unwrap_err();
        assert!(matches!(refused, FileError::NoSuchRun { .. }), "{not}: {refused}");
        std::fs::remove_file(file).unwrap();
    }
    let first = format!("{run} units 21 version 0.1.0");
    let file = checkpoint_of(
        "session",
        &[
            &first,
            "session threads 4294967296 kernel avx2 version 0.1.0 started 1790000000",
            "0 4 71 18446744073709551615",
            "time 18446744073709551615",
            "session threads 0 kernel avx2 version 0.1.0 started 1790000000",
            "1 4 71 18446744073709551615",
            "time 18446744073709551615",
        ],
    );
    let saved = checkpoint::read(&file, |_, _| ()).unwrap();
    assert_eq!(saved.units_done(), 2);
    assert!(saved.elapsed() > std::time::Duration::from_secs(1));
    let mut merge = Merge::new();
    merge.read_file(&file).unwrap();
    assert!(merge.elapsed() > std::time::Duration::ZERO);
    let filled = file.with_extension("filled");
    assert_eq!(merge.fill_checkpoint(&filled, &()).unwrap(), 2);
    assert_eq!(checkpoint::read(&filled, |_, _| ()).unwrap().units_done(), 2);
    std::fs::remove_file(file).unwrap();
    std::fs::remove_file(filled).unwrap();
}
