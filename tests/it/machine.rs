//! The subcommands about this machine, and the files for packages, as users meet them.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

use crate::program::{
    Folder, PROGRAM, ends, fails_on_a_full_device, is_refused, json, nqueens, run, signal, stderr,
    stdout,
};

/// One benchmark with all reports, run once for all tests that read them: its output and reports.
fn bench() -> &'static (Output, HashMap<&'static str, String>) {
    static BENCH: OnceLock<(Output, HashMap<&str, String>)> = OnceLock::new();
    BENCH.get_or_init(|| {
        let folder = Folder::new("bench");
        let kinds = ["json", "csv", "markdown", "svg"];
        let mut command = nqueens();
        command.args(["bench", "--quick", "--runs", "3", "--threads", "1,2"]);
        for kind in kinds {
            command.arg(format!("--export-{kind}")).arg(folder.file(kind));
        }
        let output = run(command);
        ends(&output, 0, &[]);
        let read = |kind| (kind, fs::read_to_string(folder.file(kind)).unwrap());
        (output, kinds.map(read).into())
    })
}

fn report(kind: &str) -> &'static str {
    &bench().1[kind]
}

#[test]
fn the_report_says_what_was_measured() {
    let report = json(report("json"));
    assert_eq!(report["complete"], true);
    assert_eq!(report["runs"], 3);
    assert_eq!(report["build"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(report["machine"]["kernels"][0] == "portable", "{report}");
    let measurements = report["measurements"].as_array().unwrap();
    for measurement in measurements {
        let seconds = measurement["seconds"].as_array().unwrap();
        assert_eq!(seconds.len(), 3);
        assert!(seconds.contains(&measurement["median"]));
        assert!(seconds.iter().all(|seconds| seconds.as_f64().unwrap() > 1e-6));
        assert!(measurement["spread"].as_f64().unwrap() >= 0.0);
    }
    for (algorithm, kernel) in
        [("naive", "portable"), ("arrays", "portable"), ("bitboard", "portable")]
    {
        let found = measurements.iter().find(|measurement| {
            measurement["algorithm"] == algorithm && measurement["kernel"] == kernel
        });
        assert!(found.is_some(), "{algorithm} {kernel}");
    }
    let scaled: Vec<&Value> =
        measurements.iter().filter(|measurement| !measurement["speed_up"].is_null()).collect();
    let threads = |threads: u64| scaled.iter().filter(move |m| m["threads"] == threads).count();
    assert!(threads(1) > 0 && threads(1) == threads(2));
}

#[test]
fn work_is_the_same_on_every_machine() {
    let report = json(report("json"));
    for measurement in report["measurements"].as_array().unwrap() {
        // OEIS A319283.
        match measurement["board"].as_u64().unwrap() {
            8 if measurement["work_unit"] == "nodes" => assert_eq!(measurement["work"], "2057"),
            12 if measurement["work_unit"] == "nodes" => assert_eq!(measurement["work"], "856189"),
            _ => {}
        }
    }
    let portable = report["measurements"].as_array().unwrap().iter();
    let work = portable
        .filter(|measurement| measurement["kernel"] == "portable" && measurement["threads"] == 1)
        .map(|measurement| measurement["work"].as_str().unwrap().parse::<u128>().unwrap());
    assert_eq!(report["signature"], work.sum::<u128>().to_string());
}

#[test]
fn an_unoptimised_build_is_flagged() {
    let (output, _) = bench();
    let flagged = |text: &str| text.contains("this build is not optimised");
    // Tests are built with debug assertions, unless someone tests the release build.
    let expected = cfg!(debug_assertions);
    assert_eq!(flagged(stdout(output)), expected);
    assert_eq!(flagged(report("json")), expected);
    assert_eq!(flagged(report("markdown")), expected);
    assert_eq!(json(report("json"))["build"]["debug_assertions"], expected);
}

#[test]
fn the_table_is_plain_where_there_is_no_terminal() {
    let (output, _) = bench();
    let table = stdout(output);
    assert!(table.contains("algorithm  kernel") && table.contains("speed-up  efficiency"));
    assert!(table.contains("Signature"));
    assert!(!table.contains('\x1b'));
    assert!(table.lines().all(|line| line == line.trim_end()));
}

#[test]
fn every_report_is_well_formed() {
    let measurements = json(report("json"))["measurements"].as_array().unwrap().len();
    let csv = report("csv");
    let fields: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(fields.len(), measurements + 1);
    assert!(fields.iter().all(|&count| count == fields[0]), "{csv}");
    let markdown = report("markdown");
    let table: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| bitboard")).collect();
    assert!(!table.is_empty() && table.iter().all(|line| line.matches('|').count() == 9));
    let svg = report("svg");
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("prefers-color-scheme: dark"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    let opened = svg.matches("<text").count();
    assert_eq!(opened, svg.matches("</text>").count());
}

#[test]
fn a_baseline_is_compared() {
    let folder = Folder::new("baseline");
    let mut old = json(report("json"));
    for measurement in old["measurements"].as_array_mut().unwrap() {
        for seconds in measurement["seconds"].as_array_mut().unwrap() {
            *seconds = (1000.0 * seconds.as_f64().unwrap()).into();
        }
        measurement["median"] = (1000.0 * measurement["median"].as_f64().unwrap()).into();
    }
    old["machine"]["cpu"] = "Another CPU".into();
    let baseline = folder.write("slow.json", old.to_string());
    let new = folder.name("new.json");
    let quick = ["bench", "--quick", "--runs", "2", "-t", "1"];
    let output =
        run(&[quick.as_slice(), &["--baseline", &baseline, "--export-json", &new]].concat());
    ends(&output, 0, &[]);
    assert!(stdout(&output).contains("Changed beyond noise"), "{}", stdout(&output));
    assert!(stdout(&output).contains("times faster"));
    assert!(stdout(&output).contains("another CPU: Another CPU"));
    let report = json(&fs::read_to_string(new).unwrap());
    assert_eq!(
        report["changes"].as_array().unwrap().len(),
        report["measurements"].as_array().unwrap().len()
    );
    for (text, because) in [("{}", "not a report"), ("no JSON", "not a report")] {
        fs::write(&baseline, text).unwrap();
        ends(&run(&["bench", "--baseline", &baseline]), 2, &[because]);
    }
}

#[test]
fn reports_on_standard_output_stand_alone() {
    let output = run(&["bench", "--quick", "--runs", "1", "--threads", "1", "--export-json", "-"]);
    // The table goes to standard error.
    ends(&output, 0, &["algorithm"]);
    assert_eq!(json(stdout(&output))["complete"], true);
}

#[test]
fn export_targets_are_opened_first() {
    let folder = Folder::new("targets");
    let missing = folder.name("missing/report.json");
    is_refused(&["bench", "--export-json", &missing], 1, &["missing/report.json"]);
    let file = folder.name("report");
    let both =
        [("--export-json", "--export-csv", file.as_str()), ("--export-json", "--export-svg", "-")];
    for (first, second, target) in both {
        is_refused(&["bench", first, target, second, target], 2, &["two reports"]);
    }
}

#[test]
fn wrong_options_are_refused() {
    for args in [["bench", "--runs", "0"], ["bench", "--threads", "1,0"], ["8", "--threads", "1,2"]]
    {
        is_refused(&args, 2, &[]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let quick = ["bench", "--quick", "--runs", "1", "--threads", "1"];
    let output = run(&[quick.as_slice(), &["--export-csv", "/dev/full"]].concat());
    ends(&output, 1, &["/dev/full"]);
    fails_on_a_full_device(&["info"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_measured() {
    use std::io::{BufRead, BufReader, Read};

    let folder = Folder::new("interrupt");
    let (report, csv) = (folder.name("json"), folder.name("csv"));
    let exports = ["--export-json", &report, "--export-csv", &csv];
    let mut command = nqueens();
    let mut child = command.args(["bench", "--threads", "1"]).args(exports).spawn().unwrap();
    let mut table = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("arrays") {
        line.clear();
        assert!(table.read_line(&mut line).unwrap() > 0);
    }
    signal(&child, "INT");
    let mut rest = String::new();
    table.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.contains("Interrupted"), "{rest}");
    let report = json(&fs::read_to_string(report).unwrap());
    assert_eq!(report["complete"], false);
    assert_eq!(report["signature"], Value::Null);
    assert!(report["measurements"].as_array().unwrap().len() >= 4);
    assert!(!report["unfinished"].as_array().unwrap().is_empty());
    let csv = fs::read_to_string(csv).unwrap();
    assert!(csv.lines().skip(1).all(|line| line.ends_with("false")), "{csv}");
}

#[test]
fn info_for_people_and_programs() {
    let output = run(&["info"]);
    ends(&output, 0, &[]);
    for name in ["CPU", "features", "kernel", "threads", "memory", "limits", "version", "compiler"]
    {
        assert!(stdout(&output).lines().any(|line| line.starts_with(name)), "{}", stdout(&output));
    }
    let info = json(stdout(&run(&["info", "--json"])));
    assert_eq!(info["limits"]["counted_board"], 32);
    assert_eq!(info["limits"]["known_board"], 27);
    let chosen = info["kernels"].as_array().unwrap().iter().find(|k| k["name"] == info["kernel"]);
    assert_eq!(chosen.unwrap()["available"], true);
    assert!(info["threads"].as_u64().unwrap() > 0);
    let mut command = nqueens();
    let output = command.env("RAYON_NUM_THREADS", "3").args(["info", "--json"]).output().unwrap();
    let info = json(stdout(&output));
    assert_eq!(info["threads"], 3);
    assert!(info["threads_because"].as_str().unwrap().contains("RAYON_NUM_THREADS"));
    let info = json(stdout(&run(&["info", "--json", "--threads", "5"])));
    assert_eq!(info["threads"], 5);
    assert!(info["threads_because"].as_str().unwrap().contains("--threads"));
}

#[cfg(target_os = "linux")]
#[test]
fn affinity_counts() {
    let output = Command::new("taskset")
        .args(["-c", "0", PROGRAM, "info", "--json"])
        .env_remove("RAYON_NUM_THREADS")
        .output();
    // Where there is no such command, nothing is tested.
    let Ok(output) = output else { return };
    if !output.status.success() {
        return;
    }
    let info = json(stdout(&output));
    assert_eq!(info["threads"], 1);
    assert_eq!(info["machine"]["affinity"], 1);
}

#[test]
fn versions_short_and_long() {
    let short = run(&["-V"]);
    assert_eq!(stdout(&short), concat!("nqueens ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = run(&["--version"]);
    assert!(stdout(&long).starts_with(stdout(&short)));
    for name in ["commit:", "compiler: rustc ", "target:", "profile:"] {
        assert!(stdout(&long).contains(name), "{}", stdout(&long));
    }
}

#[test]
fn completions_for_five_shells() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        ends(&output, 0, &[]);
        assert!(
            stdout(&output).contains("nqueens") && stdout(&output).contains("divide"),
            "{shell}"
        );
    }
    let parsed = Command::new("bash")
        .args(["-c", "source <(\"$0\" completions bash) && complete -p nqueens"])
        .arg(PROGRAM)
        .output();
    if let Ok(parsed) = parsed {
        assert!(parsed.status.success(), "{}", stderr(&parsed));
    }
    ends(&run(&["completions", "csh"]), 2, &[]);
}

#[test]
fn man_pages() {
    let page = run(&["man"]);
    assert!(stdout(&page).contains(".TH nqueens 1"), "{}", stdout(&page));
    let folder = Folder::new("man");
    ends(&run(&["man", "--out", &folder.name("")]), 0, &[]);
    for name in ["nqueens.1", "nqueens-bench.1", "nqueens-list.1"] {
        assert!(folder.file(name).metadata().unwrap().len() > 500, "{name}");
    }
    ends(&run(&["man", "--out", &folder.name("missing")]), 1, &[]);
}
