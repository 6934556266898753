//! The built program: running it, how it ends, and folders for its files.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_nqueens");

/// What takes no time at all is done by then, however busy the machine is. What must not be waited
/// for takes much longer.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// The program, with nothing on standard input, and all output to be read.
pub(crate) fn nqueens() -> Command {
    undisturbed(Command::new(PROGRAM))
}

/// `command` on its own: with nothing on standard input, all output to be read, and no number of
/// threads from whoever runs the tests.
pub(crate) fn undisturbed(mut command: Command) -> Command {
    #[cfg(unix)]
    hear_signals();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("RAYON_NUM_THREADS");
    command
}

/// Signals that whoever runs the tests ignores (a shell does so for its jobs in the background) are not
/// ignored by programs that are run from now on: what is handled here has its default there.
#[cfg(unix)]
fn hear_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGXCPU};
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for signal in [SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGXCPU] {
            let always = std::sync::Arc::new(true.into());
            signal_hook::flag::register_conditional_default(signal, always).unwrap();
        }
    });
}

/// The program under a limit of the shell's `ulimit`.
#[cfg(unix)]
pub(crate) fn limited(limit: &str) -> Command {
    let mut command = undisturbed(Command::new("sh"));
    command.args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\""), PROGRAM]);
    command
}

/// What can be run: a command, or the arguments of the program.
pub(crate) trait Runnable {
    fn command(self) -> Command;
}

impl Runnable for Command {
    fn command(self) -> Command {
        self
    }
}

impl<'a, T: ?Sized> Runnable for &'a T
where
    &'a T: IntoIterator<Item: AsRef<OsStr>>,
{
    fn command(self) -> Command {
        let mut command = nqueens();
        command.args(self);
        command
    }
}

pub(crate) fn run(what: impl Runnable) -> Output {
    what.command().output().unwrap()
}

pub(crate) fn run_with_input(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = nqueens().args(args).stdin(Stdio::piped()).spawn().unwrap();
    // A program that ends before it reads everything closes the pipe: its exit code tells why.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Ends with this exit code, and messages that hold all of `because`.
#[track_caller]
pub(crate) fn ends(output: &Output, code: i32, because: &[&str]) {
    ends_as(&"the program", output, code, because);
}

#[track_caller]
fn ends_as(what: &dyn Debug, output: &Output, code: i32, because: &[&str]) {
    let messages = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{what:?}: {messages}");
    for part in because {
        assert!(messages.contains(part), "{what:?}: {part:?} is not in: {messages}");
    }
}

/// Ends well, with this and nothing else on standard output.
#[track_caller]
pub(crate) fn prints(what: impl Runnable, expected: &str) -> Output {
    let mut command = what.command();
    let output = command.output().unwrap();
    assert_eq!(stdout(&output), expected, "{command:?}: {}", stderr(&output));
    ends_as(&command, &output, 0, &[]);
    output
}

/// Nothing on standard output, this exit code, and messages that hold all of `because`, at once.
#[track_caller]
pub(crate) fn is_refused(what: impl Runnable, code: i32, because: &[&str]) {
    let mut command = what.command();
    let started = Instant::now();
    let output = command.output().unwrap();
    ends_as(&command, &output, code, because);
    assert_eq!(stdout(&output), "", "{command:?}");
    assert!(started.elapsed() < SOON, "{command:?}");
}

/// Results without a total, for these reasons: nothing but tasks is on standard output.
#[track_caller]
pub(crate) fn has_no_total(what: impl Runnable, because: &[&str]) {
    let mut command = what.command();
    let output = command.output().unwrap();
    ends_as(&command, &output, 3, because);
    assert!(stdout(&output).lines().all(|line| line.starts_with("{\"task\":1")), "{command:?}");
}

/// A device without room for the output is an error, and no panic or silence.
#[cfg(target_os = "linux")]
#[track_caller]
pub(crate) fn fails_on_a_full_device(args: &[&str]) -> Output {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = nqueens().args(args).stdout(full).output().unwrap();
    ends_as(&args, &output, 1, &["No space left"]);
    output
}

#[track_caller]
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < SOON, "{what} in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    signal_to(child.id(), name);
}

#[cfg(unix)]
fn signal_to(process: u32, name: &str) {
    let kill = format!("kill -{name} {process}");
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

/// Ends soon after this signal, with this exit code.
#[cfg(unix)]
#[track_caller]
pub(crate) fn ends_by_signal(child: Child, name: &str, code: i32) -> Output {
    signal(&child, name);
    let (sender, ended) = mpsc::channel();
    let id = child.id();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    let Ok(output) = ended.recv_timeout(SOON) else {
        signal_to(id, "KILL");
        panic!("goes on after {name}");
    };
    ends_as(&name, &output, code, &[]);
    output
}

/// Kills it if it still runs, and returns what it wrote.
pub(crate) fn kill(mut child: Child) -> Output {
    child.kill().unwrap();
    child.wait_with_output().unwrap()
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

    /// The name of a file in it, as an argument.
    pub(crate) fn name(&self, name: &str) -> String {
        self.file(name).to_str().unwrap().into()
    }

    /// A file with this content: its name.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.file(name), content).unwrap();
        self.name(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
