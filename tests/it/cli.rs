//! The built binary as its users meet it.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::program::{
    ends, ends_by_signal, fails_on_a_full_device, is_refused, json, limited, nqueens, prints, run,
    run_with_input, stderr, stdout,
};

#[test]
fn one_number_for_one_board() {
    for (n, count) in [("0", "1\n"), ("1", "1\n"), ("2", "0\n"), ("3", "0\n"), ("8", "92\n")] {
        for algorithm in ["auto", "naive", "arrays", "bitboard"] {
            for threads in ["1", "2", "8"] {
                prints(&[n, "-a", algorithm, "--threads", threads], count);
            }
        }
    }
    let output = run(&["8"]);
    assert_eq!(stderr(&output), "", "nothing but the number where there is no terminal");
}

#[test]
fn labelled_lines_for_several_boards() {
    prints(&["4..=6"], "4 2\n5 10\n6 4\n");
    prints(&["4..6"], "4 2\n5 10\n");
    prints(&["8..=8"], "8 92\n");
    prints(&["8,4,6"], "8 92\n4 2\n6 4\n");
    prints(&["8", "4..=5", "6,7"], "8 92\n4 2\n5 10\n6 4\n7 40\n");
}

#[test]
fn wrong_sizes_are_refused_at_once() {
    let nines = "9".repeat(400);
    for n in ["33", "50", "1000", "-1", "4294967297", "18446744073709551616", &nines] {
        is_refused(&[n], 2, &["from 0 to 32"]);
    }
    is_refused(&["--", "-1"], 2, &["from 0 to 32"]);
    for n in ["eight", "8abc", "8.0", "0x8", "", "8 9", "8,x"] {
        is_refused(&[n], 2, &["not a number"]);
    }
    for n in ["10..4", "8..8", "10..=9"] {
        is_refused(&[n], 2, &["the range is empty"]);
    }
    is_refused(&["-", "8"], 2, &["standard input"]);
}

#[test]
fn wrong_options_are_refused_at_once() {
    for threads in ["0", "-1", "100000", "two", "1.5", "", "99999999999999999999999"] {
        is_refused(&["8", "--threads", threads], 2, &["from 1 to 4096"]);
    }
    is_refused(&["8", "--algorithm", "magic"], 2, &["naive, arrays, bitboard"]);
    is_refused(&["8", "--format", "xml"], 2, &["text, json, csv"]);
    is_refused(&["8", "--frobnicate"], 2, &["--frobnicate"]);
    is_refused(&["8", "-q", "-v"], 2, &["cannot be used with"]);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = std::ffi::OsStr::from_bytes(b"\xff");
    for flag in [None, Some("--threads"), Some("--algorithm")] {
        let output = nqueens().args(flag).arg(bytes).output().unwrap();
        ends(&output, 2, &["UTF-8"]);
    }
}

#[test]
fn numbers_from_standard_input() {
    let right: [(&[u8], &str); 9] = [
        (b"8", "92\n"),
        (b"8\n", "92\n"),
        (b"8\n\n\n", "92\n"),
        (b"\n8\n", "92\n"),
        (b"8\r\n", "92\n"),
        (b"8\r\n9\r\n", "92\n352\n"),
        (b"4 5\t6\n8", "2\n10\n4\n92\n"),
        (b"0\n", "1\n"),
        (b"  8  ", "92\n"),
    ];
    for (input, expected) in right {
        for args in [[].as_slice(), &["-"]] {
            let output = run_with_input(args, input);
            assert_eq!(stdout(&output), expected);
            assert_eq!(output.status.code(), Some(0));
        }
    }
    for input in [b"".as_slice(), b"\n", b"  \r\n\t"] {
        let output = run_with_input(&[], input);
        ends(&output, 2, &["no board size"]);
    }
    let output = run_with_input(&[], b"8\nnine\n10\n");
    assert_eq!(stdout(&output), "92\n");
    ends(&output, 2, &["line 2 of standard input: \"nine\""]);
    let output = run_with_input(&[], b"8 \xff");
    assert_eq!((stdout(&output), output.status.code()), ("92\n", Some(2)));
}

#[test]
fn results_come_line_by_line() {
    use std::io::{BufRead, BufReader};
    let mut child = nqueens().stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (n, count) in [("4\n", "2\n"), ("8\n", "92\n")] {
        input.write_all(n.as_bytes()).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, count);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn divided_by_the_first_queen() {
    prints(&["6", "--divide"], "1 0\n2 1\n3 1\n4 1\n5 1\n6 0\n4\n");
    prints(&["1", "--divide"], "1 1\n1\n");
    prints(&["0", "--divide"], "1\n");
    let csv = "board,column,count\n5,1,2\n5,2,2\n5,3,2\n5,4,2\n5,5,2\n";
    prints(&["5", "--divide", "--format", "csv"], csv);
    let output = run(&["9", "--divide", "--format", "json"]);
    let json = json(stdout(&output));
    assert_eq!(json["count"], "352");
    let columns = ["28", "30", "47", "44", "54", "44", "47", "30", "28"];
    assert_eq!(json["columns"], serde_json::json!(columns));
}

#[test]
fn json_and_csv() {
    let output = run(&["8", "12", "--format", "json", "-t", "1", "-a", "arrays"]);
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["board"], 8);
    assert_eq!(lines[0]["count"], "92");
    assert_eq!(lines[0]["nodes"], "2057");
    assert_eq!(lines[1]["count"], "14200");
    assert_eq!(lines[1]["algorithm"], "arrays");
    assert_eq!(lines[1]["threads"], 1);
    assert_eq!(lines[1]["version"], env!("CARGO_PKG_VERSION"));
    assert!(lines[1]["seconds"].as_f64().unwrap() > 0.0);
    let output = run(&["8", "9", "--format", "csv"]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        "board,count,counted,algorithm,kernel,threads,seconds,work,work_unit,units,version"
    );
    assert!(lines[1].starts_with("8,92,") && lines[2].starts_with("9,352,"));
}

#[test]
fn notes_go_to_standard_error() {
    let output = run(&["12", "--time", "-v"]);
    assert_eq!(stdout(&output), "14200\n");
    let notes = stderr(&output);
    assert!(notes.contains("bitboard") && notes.contains("nodes/s") && notes.contains("A000170"));
    assert!(!notes.contains('\x1b'), "no colours where there is no terminal");
    let output = run(&["8x", "--color", "always"]);
    assert!(stderr(&output).contains('\x1b'));
    let output = run(&["14", "--progress", "always"]);
    assert!(!stderr(&output).contains(['\r', '\x1b']), "no bar where there is no terminal");
}

#[test]
fn help_and_version() {
    for (args, contains) in [
        (["--help"], "Exit codes"),
        (["-h"], "--threads"),
        (["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(contains));
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn threads_from_the_environment() {
    let with = |value: &str, args: &[&str]| {
        let command = &mut nqueens();
        command.env("RAYON_NUM_THREADS", value).args(["12", "--format", "json"]).args(args);
        let output = command.output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).map(|json| json["threads"].clone())
    };
    assert_eq!(with("3", &[]).unwrap(), 3);
    assert_eq!(with("3", &["--threads", "2"]).unwrap(), 2);
    assert!(with("0", &[]).unwrap().as_u64().unwrap() > 0);
    assert!(with("three", &[]).is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    for args in [["8"].as_slice(), &["8", "--format", "json"], &["--help"], &["--version"]] {
        fails_on_a_full_device(args);
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = nqueens().arg("1..=12").spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[cfg(unix)]
#[test]
fn signals_end_a_count_promptly() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let child = nqueens().arg("28").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let output = ends_by_signal(child, signal, code);
        assert_eq!(stdout(&output), "", "no partial number");
        assert!(stderr(&output).contains("count is lost"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_a_plain_error() {
    // Root may start any number of processes, so the limit is on memory: stacks do not fit.
    let mut command = limited("-v 400000");
    command.args(["16", "--threads", "1000"]);
    is_refused(command, 1, &["could not start"]);
}

#[test]
fn kernels_are_chosen_or_refused() {
    for kernel in nqueens::Kernel::ALL {
        for algorithm in ["bitboard", "join"] {
            let args = ["12", "--kernel", kernel.name(), "-a", algorithm, "--format", "json"];
            if kernel.is_available() {
                let output = run(&args);
                let json = json(stdout(&output));
                assert_eq!(json["count"], "14200");
                assert_eq!(json["kernel"], kernel.name());
                let (work, other) =
                    if algorithm == "join" { ("pairs", "nodes") } else { ("nodes", "pairs") };
                assert!(json[work].is_string() && json[other].is_null());
            } else {
                let lacks = "that this CPU lacks; it can run portable";
                let because = if kernel.is_allowed() { lacks } else { "NQUEENS_KERNEL" };
                is_refused(&args, 2, &[because]);
            }
        }
    }
    is_refused(&["8", "-a", "naive", "--kernel", "avx2"], 2, &["cannot be had"]);
    is_refused(&["13", "--toroidal", "--kernel", "avx2"], 2, &["cannot be had"]);
    is_refused(&["8", "--kernel", "sse9"], 2, &["portable, avx2, avx512"]);
}

#[test]
fn the_best_kernel_may_be_named_by_the_environment() {
    let named = |name: &str, args: &[&str]| {
        let mut command = nqueens();
        command.env("NQUEENS_KERNEL", name).args(args);
        command
    };
    let output = run(named("portable", &["12", "--format", "json"]));
    assert_eq!(json(stdout(&output))["kernel"], "portable");
    is_refused(named("portable", &["12", "--kernel", "avx2"]), 2, &["NQUEENS_KERNEL"]);
    is_refused(named("sse9", &["8"]), 2, &["NQUEENS_KERNEL", "portable, avx2, avx512"]);
    prints(named("", &["8"]), "92\n");
}

#[test]
fn memory_is_limited_or_refused() {
    prints(&["14", "-a", "join", "--memory", "8MiB", "-t", "2"], "365596\n");
    is_refused(&["14", "-a", "join", "--memory", "1kB"], 2, &["MiB per thread"]);
    is_refused(&["14", "--memory", "lots"], 2, &["--memory"]);
    // `auto` goes another way instead.
    prints(&["14", "--memory", "1kB"], "365596\n");
}

#[test]
fn the_join_refuses_boards_that_it_cannot_count() {
    is_refused(&["3", "-a", "join"], 2, &["cannot be had"]);
    is_refused(&["8", "-a", "join", "--place", "1,3"], 2, &["cannot be had"]);
    is_refused(&["8", "-a", "join", "--divide"], 2, &["cannot be had"]);
}

#[test]
fn counts_are_checked_twice() {
    for args in [
        ["12", "--double-check"].as_slice(),
        &["2", "--double-check"],
        &["12", "-a", "join", "--double-check"],
    ] {
        assert_eq!(run(args).status.code(), Some(0), "{args:?}");
    }
    let output = run(&["12", "--double-check", "-v"]);
    assert!(stderr(&output).contains("bitboard and join agree"), "{}", stderr(&output));
}

#[test]
fn every_algorithm_and_kernel_is_tested() {
    let output = run(&["test", "--up-to", "10"]);
    assert_eq!(output.status.code(), Some(0));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 1 + 3 + 2 * nqueens::Kernel::ALL.len());
    for kernel in nqueens::Kernel::ALL {
        let line =
            lines.iter().find(|line| line.starts_with(&format!("join      {kernel}"))).unwrap();
        assert_eq!(line.ends_with("right"), kernel.is_available(), "{line}");
        assert_eq!(line.contains("skipped"), !kernel.is_available(), "{line}");
    }
    is_refused(&["test", "--up-to", "99"], 2, &["from 0 to 32"]);
}
