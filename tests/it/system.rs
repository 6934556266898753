//! What real systems do to a program: signals that are ignored, outputs that are closed or do not block,
//! limits on threads.

use std::fs;
use std::io::{Read, pipe};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::program::{
    Folder, PROGRAM, ends, ends_by_signal, json, nqueens, prints, run, signal, stderr, stdout,
    undisturbed, wait_until,
};

/// The program, run by a shell in the words of `script`, which names it `"$0"`.
fn by_shell(script: &str) -> Command {
    let mut command = undisturbed(Command::new("sh"));
    command.args(["-c", script, PROGRAM]);
    command
}

#[test]
fn ignored_signals_stay_ignored() {
    let script = r#"trap "" HUP INT USR1; exec "$0" 18 -a bitboard -t 1 --kernel portable"#;
    let child = by_shell(script).spawn().unwrap();
    let handles_terminate = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() & 1 << 14 != 0
    };
    wait_until("waited for the program to hear signals", handles_terminate);
    for name in ["HUP", "INT", "USR1"] {
        signal(&child, name);
    }
    ends_by_signal(child, "TERM", 143);
}

#[test]
fn closed_outputs() {
    for what in [
        "8",
        "list 6",
        "solve 8",
        "plan 8",
        "work 8",
        "8 --format json",
        "info",
        "--version",
        "--help",
    ] {
        let output = run(by_shell(&format!("exec \"$0\" {what} >&-")));
        ends(&output, 1, &["standard output: Bad file descriptor"]);
        let lost = stderr(&output).contains("{\"result\":1");
        assert_eq!(lost, what.starts_with("work"), "{what}: a result is not lost");
        ends(&run(by_shell(&format!("exec \"$0\" {what} > /dev/null"))), 0, &[]);
        ends(&run(by_shell(&format!("exec \"$0\" {what} 1<> /dev/null"))), 0, &[]);
    }
    // Before anything is measured.
    ends(&run(by_shell("exec \"$0\" bench >&-")), 1, &["standard output: Bad file descriptor"]);
    prints(by_shell("exec \"$0\" 8 <&- 2>&-"), "92\n");
}

#[test]
fn an_output_that_does_not_block_is_waited_for() {
    for (args, lines) in
        [(&["list", "12"][..], 14200), (&["plan", "22", "--units-per-task", "1"], 1421)]
    {
        let (mut reader, writer) = pipe().unwrap();
        rustix::io::ioctl_fionbio(&writer, true).unwrap();
        let mut command = nqueens();
        let mut child = command.args(args).stdout(writer).spawn().unwrap();
        drop(command);
        // The pipe is full long before anybody reads.
        std::thread::sleep(std::time::Duration::from_millis(300));
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert!(child.wait().unwrap().success(), "{args:?}");
        assert_eq!(text.lines().count(), lines, "{args:?}");
    }
}

#[test]
fn limits_of_memory_are_kept() {
    let limited = |args: &str| by_shell(&format!("ulimit -v 200000; exec \"$0\" {args}"));
    let info = json(stdout(&run(limited("info --json"))));
    let left = info["machine"]["memory_limit_bytes"].as_u64().unwrap();
    assert!(left < 200_000 * 1024, "{left}");
    assert!(info["machine"]["memory_limited_by"].as_str().unwrap().contains("address space"));
    prints(limited("16 -a join -t 2"), "14772512\n");
}

#[test]
fn without_memory_the_program_ends_with_a_word() {
    let folder = Folder::new("no-memory");
    let file = folder.name("run.nq");
    // More than there is, so that lists outgrow it sooner or later.
    let wanted = "-a join -t 2 --memory 64GiB";
    for limit in [150_000, 200_000] {
        let counts = format!("ulimit -v {limit}; exec \"$0\" 24 {wanted} --checkpoint {file}");
        ends(&run(by_shell(&counts)), 1, &["no memory for the lists of a unit", "--memory"]);
        let works = format!("ulimit -v {limit}; exec \"$0\" work 24 {wanted} --out {file}-results");
        ends(&run(by_shell(&works)), 1, &["no memory for the lists of a unit"]);
        // What was counted is good.
        ends(&run(&["status", &file][..]), 0, &[]);
    }
}

#[test]
fn memory_that_nobody_tells_is_not_none() {
    let can_hide = ["-m", "mount", "-t", "tmpfs", "none", "/proc"];
    if !undisturbed(Command::new("unshare")).args(can_hide).status().is_ok_and(|s| s.success()) {
        eprintln!("not tried: only root can hide /proc, and not in every container");
        return;
    }
    let hidden = |args: &str| {
        let mut command = undisturbed(Command::new("unshare"));
        let script = format!("mount -t tmpfs none /proc && exec \"$0\" {args}");
        command.args(["-m", "sh", "-c", &script, PROGRAM]);
        command
    };
    let counted = json(stdout(&run(hidden("16 --format json"))));
    assert_eq!((&counted["count"], &counted["algorithm"]), (&"14772512".into(), &"join".into()));
    prints(hidden("14 --double-check"), "365596\n");
    ends(&run(hidden("work 12 -a join")), 0, &[]);
}

#[test]
fn file_systems_without_locks_are_used_with_a_warning() {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("not tried: there is no strace");
        return;
    }
    let folder = Folder::new("no-locks");
    for error in ["ENOSYS", "EOPNOTSUPP", "ENOLCK", "EINVAL", "524"] {
        let inject = format!("inject=flock:error={error}");
        let [file, results] =
            ["run.nq", "results"].map(|name| folder.name(&format!("{name}-{error}")));
        let without = |args: &[&str]| {
            let mut command = undisturbed(Command::new("strace"));
            command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", &inject]);
            command.arg(PROGRAM).args(args);
            command
        };
        let checkpoint = ["13", "-a", "bitboard", "--checkpoint", &file];
        let output = prints(without(&checkpoint), "73712\n");
        ends(&output, 0, &["has no locks: make sure that no other process uses it"]);
        for args in [
            &["resume", &file][..],
            &["work", "8", "--out", &results],
            &["merge", &results, "--checkpoint", &folder.name(&format!("merged-{error}"))],
        ] {
            let output = run(without(args));
            ends(&output, 0, &["has no locks"]);
            assert_eq!(stderr(&output).matches("has no locks").count(), 1);
        }
        prints(&["resume", &file][..], "73712\n");
    }
}

/// The program as a user who may have one process, which threads count as.
fn without_threads(folder: &Folder) -> Command {
    // Such a user may not read the folder of the build.
    let program = folder.file("program");
    fs::copy(PROGRAM, &program).unwrap();
    for path in [&folder.0, &program] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let is_root = rustix::process::getuid().is_root();
    let user: &[&str] = match is_root {
        true => &["setpriv", "--reuid=54321", "--clear-groups", "prlimit", "--nproc=1"],
        false => &["prlimit", "--nproc=1"],
    };
    let mut command = undisturbed(Command::new(user[0]));
    command.args(&user[1..]).arg(program);
    command
}

#[test]
fn without_a_thread_to_be_had() {
    let folder = Folder::new("no-threads");
    let with = |args: &[&str]| {
        let mut command = without_threads(&folder);
        command.args(args);
        command
    };
    prints(with(&["8", "-t", "2"]), "92\n");
    prints(with(&["13", "-t", "2"]), "73712\n");
    assert_eq!(stdout(&run(with(&["list", "8"]))).lines().count(), 92);
    assert!(stdout(&run(with(&["work", "9", "-t", "3"]))).contains("\"count\""));
    ends(&run(with(&["check", "4"])), 2, &[]);
    let file = folder.name("run.nq");
    prints(with(&["13", "-a", "bitboard", "--checkpoint", &file]), "73712\n");
    let verified = run(with(&["verify", &file]));
    ends(&verified, 0, &[]);
    assert!(stdout(&run(with(&["status", &file]))).contains("73712 boards"));
}
