//! The examples of the documents are run, and print what they say.
//!
//! A block marked `console` holds commands behind `$ ` and below each what it prints, standard
//! output first. A line `...` stands for any lines, `[..]` for any text in a line, and `? 2` for the
//! exit code where it is not 0. The commands of a document are run in one empty folder, in turn.

use std::path::Path;
use std::process::Command;

use crate::program::{Folder, PROGRAM, run, undisturbed};

/// A command of a document, and what it says of it.
struct Example {
    line: usize,
    command: String,
    output: Vec<String>,
    code: i32,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut in_block = false;
    for (number, line) in (1..).zip(text.lines()) {
        match line {
            "```console" => in_block = true,
            _ if line.starts_with("```") => in_block = false,
            _ if !in_block => {}
            _ => match (line.strip_prefix("$ "), line.strip_prefix("? "), examples.last_mut()) {
                (Some(command), ..) => examples.push(Example {
                    line: number,
                    command: command.into(),
                    output: Vec::new(),
                    code: 0,
                }),
                (_, Some(code), Some(example)) => example.code = code.parse().unwrap(),
                (_, _, Some(example)) => example.output.push(line.into()),
                (_, _, None) => panic!("line {number}: output without a command"),
            },
        }
    }
    examples
}

/// Whether `line` is `pattern` with any text in place of each `[..]`.
fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| line_matches(after, &rest[at..]))
        }),
    }
}

fn matches(expected: &[String], lines: &[&str]) -> bool {
    match (expected.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((pattern, rest)), _) if pattern == "..." => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        (Some((pattern, rest)), Some((line, lines))) => {
            line_matches(pattern, line) && matches(rest, lines)
        }
        _ => false,
    }
}

/// Runs the examples of a document in a folder of its own, one after the other: their number.
fn check(document: &Path) -> usize {
    let text = std::fs::read_to_string(document).unwrap();
    let document = document.display();
    let folder = Folder::new("document");
    let program = Path::new(PROGRAM).parent().unwrap().display();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let examples = examples(&text);
    for Example { line, command, output, code } in &examples {
        let mut shell = undisturbed(Command::new("sh"));
        shell.args(["-c", command]).env("PATH", &path).current_dir(&folder.0);
        let found = run(shell);
        let text = String::from_utf8([found.stdout, found.stderr].concat()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            matches(output, &lines),
            "{document}:{line}: {command}
printed
{text}"
        );
        assert_eq!(found.status.code(), Some(*code), "{document}:{line}: {command}");
    }
    examples.len()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[cfg(unix)]
#[test]
fn examples_of_the_readme() {
    assert!(check(&root().join("README.md")) > 0);
}

#[cfg(unix)]
#[test]
fn examples_of_the_chapters() {
    for folder in ["docs", "batch"] {
        let files = std::fs::read_dir(root().join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let mut chapters: Vec<_> =
            files.filter(|file| file.extension().is_some_and(|end| end == "md")).collect();
        chapters.sort();
        assert!(!chapters.is_empty(), "{folder}");
        for chapter in chapters {
            println!("{}: {} examples", chapter.display(), check(&chapter));
        }
    }
}

#[test]
fn patterns() {
    assert!(
        line_matches("a[..]c", "abbc") && line_matches("[..]", "") && !line_matches("a[..]c", "ab")
    );
    let expected = ["a".to_string(), "...".to_string(), "d".to_string()];
    assert!(matches(&expected, &["a", "b", "c", "d"]) && matches(&expected, &["a", "d"]));
    assert!(!matches(&expected, &["a", "b"]));
}
