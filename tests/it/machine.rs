//! The subcommands about this machine, and the files for packages, as users meet them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use crate::program::{nqueens, run, stderr, stdout};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A new, empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// One benchmark with all reports, run once for all tests that read them: its output and folder.
fn bench() -> &'static (Output, PathBuf) {
    static BENCH: OnceLock<(Output, PathBuf)> = OnceLock::new();
    BENCH.get_or_init(|| {
        let folder = folder("bench");
        let mut command = nqueens();
        command.args(["bench", "--quick", "--runs", "3", "--threads", "1,2"]);
        for kind in ["json", "csv", "markdown", "svg"] {
            command.arg(format!("--export-{kind}")).arg(folder.join(kind));
        }
        (command.output().unwrap(), folder)
    })
}

fn report(kind: &str) -> String {
    let (output, folder) = bench();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    fs::read_to_string(folder.join(kind)).unwrap()
}

#[test]
fn the_report_says_what_was_measured() {
    let report = json(&report("json"));
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
    let report = json(&report("json"));
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
    assert_eq!(flagged(&report("json")), expected);
    assert_eq!(flagged(&report("markdown")), expected);
    assert_eq!(json(&report("json"))["build"]["debug_assertions"], expected);
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
    let measurements = json(&report("json"))["measurements"].as_array().unwrap().len();
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
    let (_, folder) = bench();
    let mut old = json(&report("json"));
    for measurement in old["measurements"].as_array_mut().unwrap() {
        for seconds in measurement["seconds"].as_array_mut().unwrap() {
            *seconds = (1000.0 * seconds.as_f64().unwrap()).into();
        }
        measurement["median"] = (1000.0 * measurement["median"].as_f64().unwrap()).into();
    }
    old["machine"]["cpu"] = "Another CPU".into();
    let baseline = folder.join("slow.json");
    fs::write(&baseline, old.to_string()).unwrap();
    let new = folder.join("new.json");
    let output = nqueens()
        .args(["bench", "--quick", "--runs", "2", "-t", "1", "--baseline"])
        .arg(&baseline)
        .arg("--export-json")
        .arg(&new)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
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
        let output = nqueens().args(["bench", "--baseline"]).arg(&baseline).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(because), "{}", stderr(&output));
    }
}

#[test]
fn reports_on_standard_output_stand_alone() {
    let output = run(&["bench", "--quick", "--runs", "1", "--threads", "1", "--export-json", "-"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(json(stdout(&output))["complete"], true);
    assert!(stderr(&output).contains("algorithm"), "the table goes to standard error");
}

#[test]
fn export_targets_are_opened_first() {
    let folder = folder("targets");
    let missing = folder.join("missing/report.json");
    let output = nqueens().args(["bench", "--export-json"]).arg(&missing).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "", "nothing was measured");
    assert!(stderr(&output).contains("missing/report.json"), "{}", stderr(&output));
    let file = folder.join("report");
    let both = [
        ("--export-json", "--export-csv", file.to_str().unwrap()),
        ("--export-json", "--export-svg", "-"),
    ];
    for (first, second, target) in both {
        let output = run(&["bench", first, target, second, target]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).contains("two reports"), "{}", stderr(&output));
    }
}

#[test]
fn wrong_options_are_refused() {
    for args in [["bench", "--runs", "0"], ["bench", "--threads", "1,0"], ["8", "--threads", "1,2"]]
    {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(stdout(&output), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let quick = ["bench", "--quick", "--runs", "1", "--threads", "1"];
    let output = nqueens().args(quick).args(["--export-csv", "/dev/full"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/dev/full"), "{}", stderr(&output));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = nqueens().args(["info"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_measured() {
    use std::io::{BufRead, BufReader, Read};

    let folder = folder("interrupt");
    let (report, csv) = (folder.join("json"), folder.join("csv"));
    let mut command = nqueens();
    command.args(["bench", "--threads", "1"]).arg("--export-json").arg(&report);
    command.arg("--export-csv").arg(&csv).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut table = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("arrays") {
        line.clear();
        assert!(table.read_line(&mut line).unwrap() > 0);
    }
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
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
    assert_eq!(output.status.code(), Some(0));
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
        .args(["-c", "0", env!("CARGO_BIN_EXE_nqueens"), "info", "--json"])
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
        assert_eq!(output.status.code(), Some(0));
        assert!(
            stdout(&output).contains("nqueens") && stdout(&output).contains("divide"),
            "{shell}"
        );
    }
    let parsed = Command::new("bash")
        .args(["-c", "source <(\"$0\" completions bash) && complete -p nqueens"])
        .arg(env!("CARGO_BIN_EXE_nqueens"))
        .output();
    if let Ok(parsed) = parsed {
        assert!(parsed.status.success(), "{}", stderr(&parsed));
    }
    assert_eq!(run(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn man_pages() {
    let page = run(&["man"]);
    assert!(stdout(&page).contains(".TH nqueens 1"), "{}", stdout(&page));
    let folder = folder("man");
    let output = nqueens().args(["man", "--out"]).arg(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for name in ["nqueens.1", "nqueens-bench.1", "nqueens-list.1"] {
        assert!(folder.join(name).metadata().unwrap().len() > 500, "{name}");
    }
    let output = nqueens().args(["man", "--out"]).arg(folder.join("missing")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}
