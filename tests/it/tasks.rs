//! Plans, tasks and merging, as users of the built binary and of batch systems meet them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{
    Folder, PROGRAM, SOON, ends, ends_by_signal, fails_on_a_full_device, has_no_total, is_refused,
    json, kill, limited, nqueens, prints, run, run_with_input, stderr, stdout,
};

#[track_caller]
fn plan(options: &str) -> String {
    let output = nqueens().arg("plan").args(options.split(' ')).output().unwrap();
    ends(&output, 0, &[]);
    stdout(&output).into()
}

#[track_caller]
fn work(plan: &str) -> String {
    let output = run_with_input(&["work"], plan);
    ends(&output, 0, &[]);
    stdout(&output).into()
}

/// The total of results; nothing but it is on standard output.
#[track_caller]
fn total(files: &[&str]) -> String {
    let output = run(&[&["merge"], files].concat());
    ends(&output, 0, &[]);
    stdout(&output).trim_end().into()
}

fn merge_for_programs(files: &[&str]) -> Output {
    run(&[&["merge", "--json"], files].concat())
}

/// Changes a line as only somebody who knows how can: with the right check sum.
fn forge(line: &str, change: impl Fn(&str) -> String) -> String {
    let (unsigned, _) = line.rsplit_once(",\"check\"").unwrap();
    let changed = change(&format!("{unsigned}}}"));
    let check = crc32fast::hash(changed.as_bytes());
    format!("{},\"check\":\"{check:08x}\"}}", changed.strip_suffix('}').unwrap())
}

#[test]
fn a_plan_worked_and_merged_is_the_count() {
    let folder = Folder::new("pipeline");
    for (n, count) in [(0, "1"), (1, "1"), (2, "0"), (3, "0"), (4, "2"), (8, "92"), (12, "14200")] {
        let results = folder.write("results", work(&plan(&n.to_string())));
        assert_eq!(total(&[&results]), count);
    }
    for algorithm in ["naive", "arrays", "bitboard", "join"] {
        let results = work(&plan(&format!("10 -a {algorithm} --units-per-task 3")));
        assert_eq!(total(&[&folder.write("results", results)]), "724");
    }
    let placed = work(&plan("9 --place 5,2 --units-per-task 2"));
    let expected = run(&["9", "--place", "5,2"]);
    assert_eq!(total(&[&folder.write("results", placed)]), stdout(&expected).trim_end());
}

#[test]
fn a_result_is_an_object_with_counts_as_strings() {
    let results = work(&plan("12 --units-per-task 10"));
    let mut sum = 0;
    for line in results.lines() {
        let result = json(line);
        let counts = result["unit_counts"].as_array().unwrap();
        let counts: u64 = counts.iter().map(|c| c.as_str().unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(result["count"], counts.to_string());
        assert_eq!(result["board"], 12);
        assert_eq!(result["version"], env!("CARGO_PKG_VERSION"));
        for text in ["plan", "algorithm", "kernel", "nodes", "check"] {
            assert!(result[text].is_string(), "{text}");
        }
        for number in ["first", "units", "threads", "microseconds", "depth", "rules", "of_units"] {
            assert!(result[number].is_u64(), "{number}");
        }
        sum += counts;
    }
    assert_eq!(sum, 14200);
}

#[test]
fn the_same_unit_twice() {
    let folder = Folder::new("twice");
    let plan = plan("10 --units-per-task 5");
    let one = folder.write("one", work(&plan));
    let task = plan.lines().nth(2).unwrap();
    let again = run_with_input(&["work", "--kernel", "portable", "-t", "1"], task);
    let two = folder.write("two", stdout(&again));
    let output = prints(&["merge", &one, &two, &one], "724\n");
    ends(&output, 0, &["confirmed"]);
    assert_eq!(stderr(&run(&["merge", "-q", &one, &two])), "");
}

#[test]
fn two_results_for_one_unit() {
    let folder = Folder::new("conflict");
    let results = work(&plan("10 --units-per-task 5"));
    let right = folder.write("right", &results);
    let wrong = results.lines().nth(1).unwrap();
    let value = json(wrong);
    let count: u64 = value["count"].as_str().unwrap().parse().unwrap();
    let first: u64 = value["unit_counts"][0].as_str().unwrap().parse().unwrap();
    let forged = forge(wrong, |line| {
        line.replace(&format!("\"count\":\"{count}\""), &format!("\"count\":\"{}\"", count + 1))
            .replace(&format!("[\"{first}\""), &format!("[\"{}\"", first + 1))
    });
    let wrong = folder.write("wrong", &forged);
    is_refused(
        &["merge", &right, &wrong],
        3,
        &[
            &format!("unit {} has {} boards", value["first"], first + 1),
            &format!("{wrong}, line 1"),
            &format!("but {first} boards"),
            &format!("{right}, line 2"),
            "no total",
        ],
    );
    // A whole run with a wrong result is not what was published.
    let lines: Vec<&str> = results.lines().collect();
    let all = [&lines[..1], &[forged.as_str()], &lines[2..]].concat().join("\n");
    has_no_total(&["merge", &folder.write("all", all)], &["OEIS"]);
}

#[test]
fn missing_units_are_a_plan() {
    let folder = Folder::new("missing");
    let plan = plan("10 --units-per-task 4");
    let results = work(&plan);
    let some: Vec<&str> =
        results.lines().enumerate().filter(|(i, _)| i % 3 > 0).map(|(_, l)| l).collect();
    let some = folder.write("some", some.join("\n"));
    let output = run(&["merge", &some]);
    ends(&output, 3, &["incomplete", "so far", "missing: 0..4"]);
    let rest = folder.write("rest", work(stdout(&output)));
    assert_eq!(total(&[&some, &rest]), "724");

    // With no results at all, the plan says what is missing.
    let plan = folder.write("plan", plan);
    let none = folder.write("none", "");
    has_no_total(&["merge", &plan, &none], &["0 of"]);
    has_no_total(&["merge", &none], &["no result"]);
    is_refused(&["merge", &folder.name("gone")], 1, &["gone cannot be read"]);
    is_refused(&["merge"], 2, &["<FILE>"]);
}

#[test]
fn shares_at_the_edges() {
    let folder = Folder::new("shares");
    let plan = plan("12 --units-per-task 2");
    for of in [1, 2, 3, 7, 10, 64, 1000] {
        let mut results = String::new();
        let mut shares: Vec<u32> = (1..=of.min(40)).collect();
        shares.extend(of.saturating_sub(2).max(41)..=of);
        for share in shares {
            let output =
                run(&["work", "12", "--units-per-task", "2", "--task", &format!("{share}/{of}")]);
            ends(&output, 0, &[]);
            results += stdout(&output);
        }
        let results = folder.write("results", results);
        let output = prints(&["merge", &results], "14200\n");
        assert!(!stderr(&output).contains("confirmed"), "a task in two shares of {of}");
    }
    let share = run_with_input(&["work", "--task", "2/10"], &plan);
    let second = run_with_input(&["work"], plan.lines().nth(1).unwrap());
    let counts = |output| {
        stdout(output).lines().next().unwrap().split("\"kernel\"").next().unwrap().to_string()
    };
    assert_eq!(counts(&share), counts(&second));
    for wrong in ["4/3", "0/3", "0/0", "-1/3", "3", "a/b", "1/"] {
        is_refused(&["work", "12", "--task", wrong], 2, &["I from 1 to K"]);
    }
}

#[test]
fn files_from_other_systems() {
    let folder = Folder::new("systems");
    let results = work(&plan("8 --units-per-task 3"));
    let files = [
        ("crlf", results.replace('\n', "\r\n")),
        ("blank", format!("\n{}\n\n", results.replace('\n', "\n\n"))),
        ("unended", results.trim_end().to_string()),
        ("mark", format!("\u{feff}{results}")),
        ("blanks", results.replace(',', " , ")),
        (
            "capitals",
            results
                .lines()
                .map(|line| {
                    let (text, sum) = line.split_at(line.len() - 10);
                    format!("{text}{}\n", sum.to_uppercase())
                })
                .collect(),
        ),
    ];
    for (name, content) in files {
        assert_eq!(total(&[&folder.write(name, content)]), "92", "{name}");
    }
    assert_eq!(stdout(&run_with_input(&["merge", "-"], &results)), "92\n");
    let plan = format!("\u{feff}{}", plan("8").replace('\n', "\r\n\r\n"));
    assert_eq!(total(&[&folder.write("worked", work(&plan))]), "92");
    let named = folder.write("named", results.replace("bitboard", "BITBOARD"));
    has_no_total(&["merge", &named], &["line 1 does not match its check sum"]);
}

#[test]
fn damaged_lines_are_named() {
    let folder = Folder::new("damage");
    let results = work(&plan("10 --units-per-task 5"));
    let lines: Vec<&str> = results.lines().collect();
    let torn = &lines[3][..lines[3].len() / 2];
    let digit = lines[3].replacen("\"unit_work\":[\"", "\"unit_work\":[\"1", 1);
    let damage = [
        ("torn in the middle", [&lines[..3], &[torn], &lines[4..]].concat().join("\n")),
        (
            "run together",
            [&lines[..3], &[&format!("{torn}{}", lines[4])], &lines[5..]].concat().join("\n"),
        ),
        ("torn at the end", format!("{}\n{torn}", lines[..3].join("\n"))),
        ("another digit", [&lines[..3], &[&digit], &lines[4..]].concat().join("\n")),
        ("a note", [&lines[..3], &["# counted on Monday"], &lines[3..]].concat().join("\n")),
    ];
    for (name, content) in damage {
        let file = folder.write(name, content);
        is_refused(&["merge", &file], 3, &[&format!("{file}, line 4 ")]);
    }
    let binary = folder.write("binary", vec![0xff; 3_000_000]);
    has_no_total(&["merge", &binary], &["line 1"]);
}

#[test]
fn other_plans_and_versions_are_named() {
    let folder = Folder::new("others");
    let one = folder.write("one", work(&plan("8")));
    let two = folder.write("two", work(&plan("9")));
    has_no_total(&["merge", &one, &two], &["its board is 9, not 8"]);
    let depth = folder.write("depth", work(&plan("8 --depth 3")));
    has_no_total(&["merge", &one, &depth], &["its depth is 3, not 2"]);
    let rules = |line: &str| {
        let text = "board 8 edges open queens - algorithm bitboard depth 2 rules 9 units 21";
        let id = format!("{:08x}", crc32fast::hash(text.as_bytes()));
        let value = json(line);
        line.replace("\"rules\":1", "\"rules\":9").replace(value["plan"].as_str().unwrap(), &id)
    };
    let task = rules(plan("8").lines().next().unwrap());
    let output = run_with_input(&["work"], task);
    ends(&output, 2, &["line 1 of standard input has other units"]);
    let result = fs::read_to_string(&one).unwrap();
    let forged = folder.write("rules", forge(result.lines().next().unwrap(), rules));
    has_no_total(&["merge", &forged], &["its rules is 9, not 1"]);
    let format = folder.write("format", result.replace("{\"result\":1", "{\"result\":2"));
    has_no_total(&["merge", &format], &["has format 2"]);
}

#[test]
fn wrong_wishes_are_refused() {
    is_refused(&["plan"], 2, &["<N>"]);
    is_refused(&["plan", "33"], 2, &["from 0 to 32"]);
    is_refused(&["plan", "3", "-a", "join"], 2, &["cannot be had"]);
    for wrong in ["0", "10001", "-1", "many"] {
        is_refused(&["plan", "12", "--units-per-task", wrong], 2, &["from 1 to 10000"]);
    }
    is_refused(&["plan", "12", "--depth", "8"], 2, &["between 1 and 7"]);
    is_refused(&["work", "--units-per-task", "3"], 2, &["<N>"]);
    is_refused(&["work", "12", "-t", "0"], 2, &["threads"]);
    if cfg!(not(feature = "cluster")) {
        is_refused(&["cluster", "plan", "12", "--nats", "localhost"], 2, &["--features cluster"]);
        is_refused(&["cluster", "--help"], 2, &["--features cluster"]);
    }
    let output = run_with_input(&["work"], b"92\n");
    ends(&output, 2, &["line 1 of standard input"]);
    let output = run_with_input(&["work"], b"");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""));
    assert!(stderr(&output).contains("nothing to count"));
}

#[test]
fn plans_stream_and_end_quietly() {
    // All of it, 34 million lines, would take minutes.
    let started = Instant::now();
    let mut child = nqueens()
        .args(["plan", "27", "-a", "bitboard", "--depth", "6", "--units-per-task", "1"])
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"task\":1"));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(!message.contains("error") && message.contains("units in"), "{message}");
    assert!(started.elapsed() < SOON);
    // 6404 placements of four rows of 13; half of them by symmetry.
    assert_eq!(plan("13 -a bitboard --depth 4 --units-per-task 1").lines().count(), 3202);
}

#[test]
fn each_result_is_written_at_once() {
    let mut child = nqueens().arg("work").stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for task in plan("10 --units-per-task 9").lines() {
        writeln!(input, "{task}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.ends_with("\"}\n"), "{line}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_not_lost() {
    let folder = Folder::new("full");
    let message = stderr(&fails_on_a_full_device(&["work", "8"]));
    let line = message.lines().find(|line| line.starts_with('{')).unwrap();
    has_no_total(&["merge", &folder.write("saved", line)], &[" of 21 units"]);
    is_refused(&["work", "8", "--out", "/dev/full"], 2, &["no plain file"]);

    // A file that may not grow further: complete lines stay, and the one that did not fit is told.
    let file = folder.name("limited");
    let mut command = limited("-f 1");
    command.args(["work", "12", "--units-per-task", "4", "--out", &file]);
    let output = run(command);
    ends(&output, 1, &["limited cannot be written: File too large"]);
    let rest = stderr(&output).lines().find(|line| line.starts_with('{')).unwrap().to_string();
    let rest = folder.write("rest", rest);
    assert!(fs::read_to_string(&file).unwrap().ends_with("\"}\n"));
    has_no_total(&["merge", &file, &rest], &["incomplete: "]);
}

#[cfg(unix)]
#[test]
fn a_signal_writes_what_is_done() {
    let folder = Folder::new("signals");
    // The last three are early warnings of batch systems.
    for (name, code) in [("INT", 130), ("TERM", 143), ("USR1", 138), ("USR2", 140), ("XCPU", 152)] {
        let plan = plan("16 -a bitboard --units-per-task 500");
        let mut child = nqueens().args(["work", "-t", "2"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(plan.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(150));
        let output = ends_by_signal(child, name, code);
        let part = folder.write("part", stdout(&output));
        let output = run(&["merge", &part]);
        ends(&output, 3, &[]);
        let rest = folder.write("rest", work(stdout(&output)));
        assert_eq!(total(&[&part, &rest]), "14772512");

        // Going on with the file, not a unit is counted again.
        let plan = folder.write("plan", plan);
        ends(&run(work_into(&part, &plan)), 0, &[]);
        let whole = run(&["merge", &part]);
        assert_eq!((stdout(&whole), stderr(&whole).as_str()), ("14772512\n", ""));
    }
    // Waiting for a task, there is nothing to be finished.
    let mut child = nqueens().arg("work").stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(100));
    ends_by_signal(child, "INT", 130);
    drop(input);
}

#[test]
fn kills_lose_the_task_in_hand() {
    let folder = Folder::new("killed");
    let mut plan = plan("15 -a join --units-per-task 2");
    let mut random = fastrand::Rng::with_seed(8);
    let mut files: Vec<String> = Vec::new();
    loop {
        let name = format!("results.{}", files.len());
        let file = fs::File::create(folder.file(&name)).unwrap();
        let mut child = nqueens().arg("work").stdin(Stdio::piped()).stdout(file).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(plan.as_bytes());
        std::thread::sleep(Duration::from_millis(random.u64(5..60)));
        kill(child);
        files.push(folder.name(&name));
        let first = folder.write("plan", &plan);
        let mut merge = nqueens();
        let output = merge.arg("merge").args(&files).arg(&first).output().unwrap();
        if output.status.success() {
            assert_eq!(stdout(&output), "2279184\n");
            assert!(files.len() > 2);
            return;
        }
        ends(&output, 3, &["incomplete"]);
        plan = stdout(&output).into();
    }
}

#[test]
fn a_file_of_results_takes_those_of_one_plan() {
    let folder = Folder::new("two-plans");
    let file = folder.name("results");
    let both = plan("8") + &plan("9");
    let output = run_with_input(&["work", "--out", &file], &both);
    ends(&output, 2, &["holds results of plan", "give another file name"]);
    prints(&["merge", &file], "92\n");
}

#[test]
fn lines_of_batch_systems_among_results() {
    let folder = Folder::new("logs");
    let results = work(&plan("8 --units-per-task 5"));
    let (first, rest) = results.split_once('\n').unwrap();
    let mixed = format!("Loading module rust/1.95\n{first}\nsrun: job 7 is waiting\n\n{rest}");
    let file = folder.write("mixed", mixed);
    has_no_total(
        &["merge", &file],
        &["line 1 is neither", "\"Loading module rust/1.95\"", "line 3 is", "--skip-foreign"],
    );
    let output = prints(&["merge", "--skip-foreign", &file], "92\n");
    ends(&output, 0, &["2 foreign lines were left out"]);
    // A damaged result is none of these.
    let damaged = folder.write("damaged", results.replacen("\"count\":\"", "\"count\":\"1", 1));
    has_no_total(&["merge", "--skip-foreign", &damaged], &["check sum"]);
    let into = run(&["work", "8", "--out", &file]);
    ends(&into, 3, &["line 1 is neither", "take out of this one what is no result"]);
}

#[test]
fn encodings_that_are_not_read_are_named() {
    let folder = Folder::new("encodings");
    let results = work(&plan("6"));
    let utf16 = |mark: u16, swap: bool| {
        let words = std::iter::once(mark).chain(results.encode_utf16());
        let bytes = move |word: u16| if swap { word.to_be_bytes() } else { word.to_le_bytes() };
        words.flat_map(bytes).collect::<Vec<u8>>()
    };
    for (name, swap) in [("little", false), ("big", true)] {
        let file = folder.write(name, utf16(0xfeff, swap));
        let output = run(&["merge", &file]);
        ends(&output, 3, &["line 1 is no text in UTF-8: it is UTF-16"]);
        assert_eq!(stderr(&output).matches("UTF-16").count(), 1);
        ends(&run_with_input(&["work"], utf16(0xfeff, swap)), 2, &["it is UTF-16"]);
    }
    let file = folder.write("gzip", b"\x1f\x8b\x08\0\0\n\x07\n");
    let output = run(&["merge", &file]);
    ends(&output, 3, &["gzip", "zcat"]);
    assert_eq!(stderr(&output).matches("line").count(), 1);
}

/// The command that works on a plan file with `--out`.
fn work_into(file: &str, plan: &str) -> Command {
    let mut command = nqueens();
    command.args(["work", "--out", file]).stdin(fs::File::open(plan).unwrap());
    command
}

#[test]
fn the_same_command_again_goes_on() {
    let folder = Folder::new("out");
    let plan = folder.write("plan", plan("15 -a join --units-per-task 2"));
    let file = folder.name("results");
    let mut random = fastrand::Rng::with_seed(15);
    let (mut lines, mut kills) = (0, 0);
    loop {
        let child = work_into(&file, &plan).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.u64(5..60)));
        let output = kill(child);
        let saved = fs::read_to_string(&file).unwrap_or_default();
        let complete = |text: &str| text.matches('\n').count();
        assert!(complete(&saved) >= lines);
        lines = complete(&saved);
        if output.status.success() {
            break;
        }
        kills += 1;
        if kills % 3 == 0 {
            // As if the kill had come while a line was written.
            let torn = &saved[..saved.len() - random.usize(0..100).min(saved.len())];
            fs::write(&file, torn).unwrap();
            lines = complete(torn);
        }
    }
    assert!(kills > 3, "{kills}");
    let output = prints(&["merge", &file], "2279184\n");
    assert!(!stderr(&output).contains("confirmed"), "a task was counted twice");
    let again = prints(work_into(&file, &plan), "");
    ends(&again, 0, &["0 are counted now"]);
}

#[test]
fn files_of_results_are_not_spoilt() {
    let folder = Folder::new("spoilt");
    let plan = folder.write("plan", plan("8 --units-per-task 5"));
    let whole = work(&fs::read_to_string(&plan).unwrap());
    let damaged = whole.replacen("\"count\":\"", "\"count\":\"1", 1);
    let others = [
        ("a note", "my results", 3, "line 1"),
        ("something else", "{\"result\":42}", 3, "line 1"),
        ("damaged, without its end", damaged.trim_end(), 3, "line 1 does not match"),
        ("notes", "my\nresults\n", 3, "line 1"),
        ("damaged", &damaged, 3, "line 1 does not match"),
        ("another plan", &work(&self::plan("9")), 2, "holds results of plan"),
    ];
    for (name, content, code, because) in others {
        let file = folder.write(name, content);
        is_refused(work_into(&file, &plan), code, &[because]);
        assert_eq!(fs::read_to_string(&file).unwrap(), *content, "{name}");
    }
    is_refused(work_into(&plan, &plan), 2, &["is a plan"]);
    assert_eq!(fs::read_to_string(&plan).unwrap(), self::plan("8 --units-per-task 5"));

    // A last line without its end is whole all the same.
    let file = folder.write("results", whole.trim_end());
    ends(&run(work_into(&file, &plan)), 0, &[]);
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);

    let held = fs::File::open(&file).unwrap();
    held.lock().unwrap();
    is_refused(work_into(&file, &plan), 1, &["in use by another process"]);
}

#[test]
fn checkpoint_files_and_results_go_together() {
    let folder = Folder::new("checkpoint");
    let results = work(&plan("12 -a join --units-per-task 2"));
    let lines: Vec<&str> = results.lines().collect();
    let half = folder.write("half", lines[..lines.len() / 2].join("\n"));
    let file = folder.name("all.nq");
    has_no_total(&["merge", "--checkpoint", &file, &half], &["units added to", "incomplete"]);
    let status = json(stdout(&run(&["status", "--json", &file])));
    assert_eq!(status["complete"], false);
    assert!(status["done"].as_u64().unwrap() > 0);

    let copy = folder.name("copy.nq");
    fs::copy(&file, &copy).unwrap();
    prints(&["resume", &copy], "14200\n");
    assert_eq!(total(&[&copy]), "14200");

    let rest = folder.write("rest", lines[lines.len() / 2..].join("\n"));
    assert_eq!(total(&[&rest, "--checkpoint", &file]), "14200");
    assert_eq!(total(&[&half, "--checkpoint", &file]), "14200");
    ends(&run(&["verify", &file]), 0, &[]);
    let other = folder.write("other", work(&plan("10 -a join")));
    has_no_total(&["merge", &other, "--checkpoint", &file], &["another run"]);
}

#[test]
fn the_report_for_programs() {
    let folder = Folder::new("report");
    let results = work(&plan("10 --units-per-task 5"));
    let all = folder.write("all", &results);
    let report = |files: &[&str], code| {
        let output = merge_for_programs(files);
        ends(&output, code, &[]);
        json(stdout(&output))
    };
    let merged = report(&[&all, &all], 0);
    assert_eq!(merged["count"], "724");
    assert_eq!(merged["complete"], true);
    assert_eq!(merged["nodes"], "35539");
    assert_eq!(merged["confirmed"], merged["units"]);
    assert_eq!(merged["missing"], serde_json::json!([]));
    let some = folder.write("some", results.lines().skip(1).collect::<Vec<_>>().join("\n"));
    let merged = report(&[&some], 3);
    assert_eq!(merged["count"], Value::Null);
    assert_eq!(merged["missing"], serde_json::json!([[0, 5]]));
    let merged = report(&[&folder.write("bad", "bad")], 3);
    assert!(merged["faults"][0].as_str().unwrap().contains("line 1"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_makes_nothing_complete() {
    let command = format!(
        "{PROGRAM} plan -q 20 --units-per-task 1 | {{ {PROGRAM} merge - 2> /dev/null; echo $? >&2; }} | true"
    );
    let output = Command::new("sh").args(["-c", &command]).output().unwrap();
    assert_eq!(stderr(&output), "3\n");
}

#[test]
fn merging_again_adds_no_time() {
    let folder = Folder::new("time");
    let results = work(&plan("12 -a join --units-per-task 2"));
    let lines: Vec<&str> = results.lines().collect();
    let file = folder.name("all.nq");
    let seconds =
        |files: &[&str]| json(stdout(&merge_for_programs(files)))["seconds"].as_f64().unwrap();
    let whole = seconds(&[&folder.write("whole", &results)]);
    for end in 1..=lines.len() {
        let part = folder.write("part", lines[..end].join("\n"));
        run(&["merge", &part, "--checkpoint", &file]);
    }
    let again = seconds(&[&file]);
    assert!((again - whole).abs() <= 0.2 * whole + 0.001, "{whole} became {again}");
}

#[test]
fn endless_and_unreadable_input_ends() {
    if cfg!(target_os = "linux") {
        let zeros = fs::File::open("/dev/zero").unwrap();
        let output = nqueens().arg("work").stdin(zeros).output().unwrap();
        ends(&output, 2, &[]);
        let folder = fs::File::open(std::env::temp_dir()).unwrap();
        let output = nqueens().args(["work", "--task", "9/9"]).stdin(folder).output().unwrap();
        ends(&output, 1, &[]);
    }
}
