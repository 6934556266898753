//! The subcommands about boards, and the counts that need symmetry, as users of the binary meet
//! them.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{
    SOON, ends, ends_by_signal, fails_on_a_full_device, is_refused, json, nqueens, prints, run,
    run_with_input, stderr, stdout,
};
use sha2::{Digest, Sha256};

#[test]
fn one_board_at_once() {
    prints(&["solve", "0"], "\n");
    prints(&["solve", "1"], "1\n");
    prints(&["solve", "8"], "4 6 8 2 7 1 3 5\n");
    for n in ["2", "3"] {
        is_refused(&["solve", n], 1, &["no solution"]);
        is_refused(&["solve", n, "--first"], 1, &["no solution"]);
    }
    for n in ["10000001", "-1", "99999999999999999999"] {
        is_refused(&["solve", n], 2, &["from 0 to 10000000"]);
    }
    for n in ["4", "100", "1000000"] {
        let board = run(&["solve", n]);
        let checked = run_with_input(&["check", n], &board.stdout);
        assert_eq!(stdout(&checked), "line 1: solution\n");
    }
}

#[test]
fn the_first_board() {
    prints(&["solve", "8", "--first"], "1 5 8 6 3 7 2 4\n");
    prints(&["solve", "13", "--first"], "1 3 5 2 9 12 10 13 4 6 8 11 7\n");
    let first = "1 3 5 2 4 13 15 12 18 20 17 9 16 19 8 10 7 14 6 11\n";
    prints(&["solve", "20", "--first"], first);
    is_refused(&["solve", "65", "--first"], 2, &["above the maximum of 64"]);
    is_refused(&["solve", "8", "--first", "--place", "1,1"], 2, &["cannot be used with"]);
}

#[test]
fn boards_with_given_queens() {
    prints(&["list", "6", "--place", "1,3"], "3 6 2 5 1 4\n");
    prints(&["solve", "6", "--place", "1,3"], "3 6 2 5 1 4\n");
    prints(&["6", "--place", "1,3"], "1\n");
    prints(&["6", "--place", "1,1"], "0\n");
    prints(&["list", "6", "--place", "1,1"], "");
    is_refused(&["solve", "6", "--place", "1,1"], 1, &["no board of 6 rows with the given queens"]);
    prints(&["8", "--place", "1,4", "--place", "2,2"], "6\n");
    prints(&["6", "--place", "2,4", "--divide"], "1 0\n2 1\n3 0\n4 0\n5 0\n6 0\n1\n");
    prints(&["6", "--place", "1,2", "--divide"], "1 0\n2 1\n3 0\n4 0\n5 0\n6 0\n1\n");
    for command in [["8"].as_slice(), &["solve", "8"], &["list", "8"]] {
        let with = |places: &[&'static str]| {
            let flags = places.iter().flat_map(|place| ["--place", place]);
            command.iter().copied().chain(flags).collect::<Vec<_>>()
        };
        is_refused(&with(&["9,1"]), 2, &["row 9, column 1 is not on the board of 8 x 8"]);
        is_refused(&with(&["1,1", "3,3"]), 2, &["row 3, column 3 is attacked"]);
        is_refused(&with(&["1,1", "1,1"]), 2, &["row 1, column 1 is attacked"]);
        for wrong in ["0,1", "1", "1;2", "-1,2", "1,2,3", "a,b"] {
            is_refused(&with(&[wrong]), 2, &["write ROW,COLUMN"]);
        }
    }
    let output = run(&["solve", "200", "--place", "7,9", "--place", "100,50"]);
    let columns: Vec<&str> = stdout(&output).split_whitespace().collect();
    assert_eq!((columns[6], columns[99]), ("9", "50"));
    ends(&run_with_input(&["check", "200"], &output.stdout), 0, &[]);
}

#[test]
fn listings_have_the_published_bytes() {
    let table = include_str!("../data/listing_sha256.csv");
    for row in table.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()) {
        for threads in ["1", "2", "5"] {
            let output = run(&["list", row[0], "-t", threads]);
            assert_eq!(output.stdout.len().to_string(), row[2]);
            let hash = Sha256::digest(&output.stdout);
            let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hash, row[3], "N = {}, {threads} threads", row[0]);
            assert_eq!(stderr(&output), "");
        }
    }
    prints(&["list", "0"], "\n");
    prints(&["list", "8", "--limit", "1"], "1 5 8 6 3 7 2 4\n");
    prints(&["list", "8", "--limit", "0"], "");
    prints(&["list", "4", "--limit", "18446744073709551615"], "2 4 1 3\n3 1 4 2\n");
    is_refused(&["list", "33"], 2, &["from 0 to 32"]);
    is_refused(&["list", "8", "--limit", "-1"], 2, &["a number of boards"]);
}

#[test]
fn fundamental_boards() {
    prints(&["list", "5", "--fundamental"], "1 3 5 2 4\n2 5 3 1 4\n");
    let sizes = "1 3 5 2 4 # 8\n2 5 3 1 4 # 2\n";
    prints(&["list", "5", "--fundamental", "--orbit-size"], sizes);
    let output = run(&["list", "8", "--fundamental", "--orbit-size"]);
    assert_eq!(stdout(&output).lines().count(), 12);
    assert!(stdout(&output).contains("\n3 5 2 8 1 7 4 6 # 4\n"));
    ends(&run_with_input(&["check", "8"], &output.stdout), 0, &[]);

    let fundamental = [1, 1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233];
    let expected: String =
        (0..).zip(fundamental).map(|(n, count)| format!("{n} {count}\n")).collect();
    prints(&["0..=13", "--fundamental"], &expected);
    let output = run(&["8", "--fundamental", "--format", "json"]);
    let json = json(stdout(&output));
    assert_eq!((&json["count"], &json["counted"]), (&"12".into(), &"fundamental".into()));
}

#[test]
fn classes_by_size() {
    prints(&["classes", "8"], "2 0\n4 1\n8 11\n12\n");
    prints(&["classes", "12"], "2 4\n4 18\n8 1765\n1787\n");
    prints(&["classes", "1"], "1 1\n1\n");
    prints(&["classes", "3"], "2 0\n4 0\n8 0\n0\n");
    prints(&["classes", "5", "--format", "csv"], "board,size,classes\n5,2,1\n5,4,0\n5,8,1\n");
    let output = run(&["classes", "8", "--format", "json"]);
    let json = json(stdout(&output));
    assert_eq!((&json["count"], &json["fundamental"]), (&"92".into(), &"12".into()));
    assert_eq!(json["classes"][2], serde_json::json!({"size": 8, "classes": "11"}));
}

#[test]
fn toroidal_boards() {
    let counts = [1, 0, 0, 0, 10, 0, 28, 0, 0, 0, 88, 0, 4524];
    let expected: String = (1..).zip(counts).map(|(n, count)| format!("{n} {count}\n")).collect();
    prints(&["1..=13", "--toroidal"], &expected);
    prints(&["7", "--toroidal", "--algorithm", "naive"], "28\n");
    prints(&["32", "--toroidal"], "0\n");
    is_refused(&["7", "--toroidal", "--place", "1,1"], 2, &["cannot be used with"]);
    is_refused(&["7", "--toroidal", "--fundamental"], 2, &["cannot be used with"]);
}

#[test]
fn every_format() {
    let written = |format| run(&["list", "4", "--limit", "1", "--format", format]);
    let text = |format| String::from_utf8(written(format).stdout).unwrap();
    assert_eq!(text("columns"), "2 4 1 3\n");
    assert_eq!(text("coords"), "(1, 2) (2, 4) (3, 1) (4, 3)\n");
    assert_eq!(text("digits"), "2413\n");
    assert_eq!(text("board"), ". Q . .\n. . . Q\nQ . . .\n. . Q .\n");
    assert_eq!(text("json"), "{\"board\":4,\"columns\":[2,4,1,3]}\n");
    assert!(text("svg").starts_with("<svg") && text("svg").contains("2 4 1 3"));
    for format in ["columns", "coords", "digits", "board", "json"] {
        let sizes = if format == "json" { "--quiet" } else { "--orbit-size" };
        let listing = run(&["list", "6", "--format", format, sizes]);
        let checked = run_with_input(&["check", "6"], &listing.stdout);
        assert_eq!(checked.status.code(), Some(0), "{format}: {}", stdout(&checked));
        assert_eq!(stdout(&checked).lines().count(), 4);
    }
    let colored = run(&["solve", "4", "--format", "board", "--color", "always"]);
    assert!(stdout(&colored).contains("\x1b["));
    assert!(!stdout(&run(&["solve", "4", "--format", "board"])).contains('\x1b'));
    is_refused(&["solve", "10", "--format", "digits"], 2, &["above the maximum of 9"]);
    is_refused(&["solve", "1001", "--format", "svg"], 2, &["above the maximum of 1000"]);
    is_refused(&["list", "4", "--format", "svg"], 2, &["--limit 1"]);
    is_refused(&["list", "4", "--format", "json", "--orbit-size"], 2, &["--orbit-size goes with"]);
    is_refused(
        &["list", "4", "--format", "text"],
        2,
        &["columns, coords, digits, board, json, svg"],
    );
}

#[test]
fn boards_are_judged() {
    let input = b"2 4 1 3\r\n\n1234\n2 4 1\n(1, 2) (2, 4) (3, 1) (4, 1)\n2 4 x 3\n";
    let output = run_with_input(&["check", "4"], input);
    let expected = "line 1: solution\n\
        line 3: no solution: same diagonal: rows 1 and 2\n\
        line 4: no solution: wrong length: 3 queens instead of 4\n\
        line 5: no solution: same column: rows 3 and 4, column 1\n\
        line 6: no solution: not readable: \"x\" is not a row or column\n";
    assert_eq!(stdout(&output), expected);
    ends(&output, 1, &["4 of 5 boards"]);
    let output = run_with_input(&["check", "8", "--quiet"], b"1 2 3 4 5 6 7 8\n");
    assert_eq!((stdout(&output), output.status.code()), ("", Some(1)));
    for input in [b"".as_slice(), b"\n\n", b"# nothing\n"] {
        let output = run_with_input(&["check", "8"], input);
        ends(&output, 2, &["no board on standard input"]);
    }
    let all = run(&["list", "8"]);
    let output = run_with_input(&["check", "8"], &all.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).matches(": solution\n").count(), 92);
}

#[test]
fn options_for_counting_do_not_stand_in_front_of_a_subcommand() {
    is_refused(&["8", "list", "8"], 2, &["not a number"]);
    is_refused(&["--format", "json", "list", "8"], 2, &["cannot stand in front of list"]);
    prints(&["--threads", "2", "list", "4"], "2 4 1 3\n3 1 4 2\n");
}

#[test]
fn who_stops_reading_ends_the_listing() {
    for n in ["12", "16", "24"] {
        let started = Instant::now();
        let mut child = nqueens().args(["list", n]).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.starts_with("1 3 5 "), "{first}");
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "N = {n}");
        assert!(started.elapsed() < SOON);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    for args in [
        ["list", "10"].as_slice(),
        &["list", "4"],
        &["solve", "8"],
        &["solve", "8", "--format", "svg"],
        &["solve", "8", "--format", "board"],
        &["classes", "8"],
        &["8", "--fundamental"],
    ] {
        fails_on_a_full_device(args);
    }
}

#[cfg(unix)]
#[test]
fn signals_end_searches_promptly() {
    for args in [["list", "24"].as_slice(), &["solve", "40", "--first"]] {
        let child = nqueens().args(args).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        ends_by_signal(child, "INT", 130);
    }
}
