//! Whatever a reader is given, it neither panics nor takes what is wrong for right.

use std::collections::HashMap;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::File;
use crate::tasks::{Lines, Merge, Plan, Task, TaskCounter, TaskResult};
use crate::{Algorithm, BoardReader, Count, Problem, Run, Stop, Tally, check, checkpoint};

/// What disks, editors, networks and people do to a file.
#[derive(Debug, Clone)]
enum Change {
    FlipBit(Index, u8),
    Cut(Index),
    RemoveLine(Index),
    RepeatLine(Index),
    Insert(Index, Vec<u8>),
    Overwrite(Index, Vec<u8>),
    LineEnds,
}

fn change() -> impl Strategy<Value = Change> {
    let bytes = || vec(any::<u8>(), 1..40);
    prop_oneof![
        4 => (any::<Index>(), 0..8u8).prop_map(|(at, bit)| Change::FlipBit(at, bit)),
        1 => any::<Index>().prop_map(Change::Cut),
        1 => any::<Index>().prop_map(Change::RemoveLine),
        1 => any::<Index>().prop_map(Change::RepeatLine),
        2 => (any::<Index>(), bytes()).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        2 => (any::<Index>(), bytes()).prop_map(|(at, bytes)| Change::Overwrite(at, bytes)),
        1 => Just(Change::LineEnds),
    ]
}

fn changed(text: &str, changes: &[Change]) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    for change in changes.iter().cloned() {
        if text.is_empty() {
            break;
        }
        let place = |at: Index| at.index(text.len());
        match change {
            Change::FlipBit(at, bit) => {
                let at = place(at);
                text[at] ^= 1 << bit;
            }
            Change::Cut(at) => text.truncate(at.index(text.len())),
            Change::Insert(at, bytes) => {
                let at = place(at);
                text.splice(at..at, bytes);
            }
            Change::Overwrite(at, bytes) => {
                let at = place(at);
                let end = (at + bytes.len()).min(text.len());
                text.splice(at..end, bytes);
            }
            Change::RemoveLine(at) | Change::RepeatLine(at) => {
                let is_repeated = matches!(change, Change::RepeatLine(_));
                let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
                let at = at.index(lines.len());
                let (before, rest) = lines.split_at(at);
                let one = if is_repeated { [rest[0], rest[0]].concat() } else { Vec::new() };
                text = [before.concat(), one, rest[1..].concat()].concat();
            }
            Change::LineEnds => {
                let lines = text.split_inclusive(|&byte| byte == b'\n');
                text = lines.fold(Vec::new(), |mut text, line| {
                    match line.strip_suffix(b"\n") {
                        Some(line) => text.extend([line, b"\r\n"].concat()),
                        None => text.extend(line),
                    }
                    text
                });
            }
        }
    }
    text
}

/// The tallies of all units of a file, which is a whole count of 8 rows.
fn tallies(path: &Path) -> HashMap<u64, Tally> {
    let mut tallies = HashMap::new();
    let saved = checkpoint::read(path, |record, _| {
        tallies.insert(record.unit, record.tally);
    });
    assert_eq!(saved.unwrap().solutions, 92);
    tallies
}

/// The results of a count of 8 rows, in lines.
fn results() -> String {
    let run = Run::new(&Problem::new(8).unwrap(), Algorithm::Bitboard, None).unwrap();
    let mut counter = TaskCounter::new();
    let results = Plan::new(run, Some(5)).tasks().map(|task| {
        let result = counter.run(&task, &(), &Stop::new()).unwrap();
        result.to_line() + "\n"
    });
    results.collect()
}

/// Results that look complete and right have the right sum.
fn add_up(merge: &Merge) {
    if merge.faults_len() == 0 && merge.is_complete() {
        assert_eq!(merge.solutions(), 92);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn checkpoint_files(all in vec(vec(change(), 1..4), 20)) {
        let file = File::new("changed-checkpoint");
        Count::new(8).unwrap().checkpoint(&file.0).threads(1).run().unwrap();
        let right = tallies(&file.0);
        let text = std::fs::read_to_string(&file.0).unwrap();
        for changes in all {
            std::fs::write(&file.0, changed(&text, &changes)).unwrap();
            let mut sum = 0;
            let saved = checkpoint::read(&file.0, |record, _| {
                assert_eq!(Some(&record.tally), right.get(&record.unit), "{changes:?}");
                sum += u128::from(record.tally.solutions);
            });
            if let Ok(saved) = saved {
                prop_assert_eq!(saved.solutions, sum);
                let counted = Count::new(8).unwrap().checkpoint(&file.0).threads(1).run();
                prop_assert!(counted.is_ok_and(|outcome| outcome.solutions == 92), "{changes:?}");
            }
            let mut merge = Merge::new();
            if merge.read_file(&file.0).is_ok() {
                add_up(&merge);
            }
        }
    }

    #[test]
    fn lines_of_results(all in vec(vec(change(), 1..4), 20)) {
        let text = results();
        for changes in all {
            let bytes = changed(&text, &changes);
            for skip in [false, true] {
                let mut merge = Merge::new().skip_foreign(skip);
                merge.read("changed", &bytes[..]).unwrap();
                add_up(&merge);
            }
            for line in String::from_utf8_lossy(&bytes).lines() {
                let result = TaskResult::from_line(line);
                let is_there = text.lines().any(|right| {
                    let right = TaskResult::from_line(right).unwrap();
                    result.as_ref().is_ok_and(|result| right.tallies == result.tallies)
                });
                prop_assert!(result.is_err() || is_there, "{line}");
            }
        }
    }

    #[test]
    fn lines_of_tasks(all in vec(vec(change(), 1..3), 20)) {
        let run = Run::new(&Problem::new(8).unwrap(), Algorithm::Bitboard, None).unwrap();
        let line = Plan::new(run.clone(), Some(5)).tasks().last().unwrap().to_line();
        for changes in all {
            let bytes = changed(&line, &changes);
            if let Ok(task) = Task::from_line(&String::from_utf8_lossy(&bytes)) {
                prop_assert_eq!(&task.run, &run);
                prop_assert!(task.units.start <= task.units.end && task.units.end <= run.units);
            }
        }
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300), n in 0..12u32) {
        let file = File::new("bytes");
        std::fs::write(&file.0, &bytes).unwrap();
        prop_assert!(checkpoint::read(&file.0, |_, _| ()).is_err());
        prop_assert_eq!(Merge::new().read("bytes", &bytes[..]).is_ok(), true);
        for line in Lines::new(&bytes[..]) {
            let (_, line) = line.unwrap();
            prop_assert!(line.and_then(|line| Task::from_line(&line)).is_err());
        }
        for record in BoardReader::new(n, &bytes[..]) {
            if let Ok(board) = record.unwrap().board {
                let queens: Vec<_> = (0..).zip(board.columns().iter().copied()).collect();
                prop_assert_eq!(check(n, &queens), Ok(()));
            }
        }
    }

    #[test]
    fn words_of_boards(text in "([0-9 ,.Q()\\[\\]{}\n#-]|\"board\":|\"columns\":){0,40}", n in 0..6u32) {
        for record in BoardReader::new(n, text.as_bytes()) {
            if let Ok(board) = record.unwrap().board {
                prop_assert_eq!(board.n(), n);
            }
        }
    }
}
