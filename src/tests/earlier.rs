//! Files and lines that version 0.1.0 wrote before runs were told apart by one text form: all of them
//! are still read, and can be resumed.

use std::path::{Path, PathBuf};

use super::File;
use crate::tasks::{Merge, Task};
use crate::{Count, Verify, checkpoint};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v1").join(name)
}

const CHECKPOINTS: [(&str, u64, u128); 5] = [
    ("b8.nq", 21, 92),
    ("j9.nq", 27, 352),
    ("p8.nq", 16, 12),
    ("t7.nq", 4, 28),
    ("part13.nq", 18, 73712),
];

#[test]
fn checkpoint_files() {
    for (name, done, solutions) in CHECKPOINTS {
        let file = File::new(&format!("v1-{name}"));
        let copy = &file.0;
        std::fs::copy(data(name), copy).unwrap();
        let saved = checkpoint::read(copy, |_, _| ()).unwrap();
        assert_eq!(saved.units_done(), done, "{name}");
        let verified = Verify::new(copy).threads(2).run().unwrap();
        assert_eq!((verified.recounted, verified.differences.len()), (done, 0), "{name}");
        let count = Count::of(saved.run.problem().unwrap()).checkpoint(copy);
        assert_eq!(count.run().unwrap().solutions, solutions, "{name}");
        assert_eq!(checkpoint::read(copy, |_, _| ()).unwrap().missing().count(), 0);
    }
}

#[test]
fn tasks_and_results() {
    for (name, solutions) in [
        ("results10.jsonl", 724),
        ("results9join.jsonl", 352),
        ("results8placed.jsonl", 12),
        ("results7toroidal.jsonl", 28),
    ] {
        let mut merge = Merge::new();
        merge.read_file(&data(name)).unwrap();
        assert!(merge.is_complete(), "{name}: {:?}", merge.faults());
        assert_eq!(merge.solutions(), solutions, "{name}");
    }
    for name in ["plan10.jsonl", "plan9join.jsonl", "plan8placed.jsonl"] {
        let text = std::fs::read_to_string(data(name)).unwrap();
        for line in text.lines() {
            assert_eq!(Task::from_line(line).unwrap().to_line(), line, "{name}");
        }
    }
}
