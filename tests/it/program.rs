//! What the tests of the built binary share.

#![allow(dead_code, reason = "each test file uses some of it")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The program, with nothing on standard input, and all output to be read.
pub(crate) fn nqueens() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nqueens"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("RAYON_NUM_THREADS");
    command
}

pub(crate) fn run(args: &[&str]) -> Output {
    nqueens().args(args).output().unwrap()
}

pub(crate) fn run_with_input(args: &[&str], input: &[u8]) -> Output {
    let mut child = nqueens().args(args).stdin(Stdio::piped()).spawn().unwrap();
    // A program that ends before it reads everything closes the pipe: its exit code tells why.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
pub(crate) fn prints(args: &[&str], expected: &str) {
    let output = run(args);
    assert_eq!(stdout(&output), expected, "{args:?}: {}", stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{args:?}");
}

/// Nothing on standard output, this exit code, and a reason that holds `because`.
#[track_caller]
pub(crate) fn fails(args: &[&str], code: i32, because: &str) {
    let started = Instant::now();
    let output = run(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
    assert!(stderr(&output).contains(because), "{args:?}: {}", stderr(&output));
    assert!(started.elapsed() < Duration::from_secs(10), "{args:?}");
}

pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(20), "{what} in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

/// A folder of its own for each test, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("nqueens-{name}-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file with this content: its name.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.file(name), content).unwrap();
        self.file(name).to_str().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
