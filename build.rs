//! Tells the program how it was built: commit, compiler, target and profile.
//!
//! Everything is optional: without git, or from a package, the commit is taken from what cargo
//! packed, or is unknown. Debug and test builds leave it out, since watching it would build them
//! anew after every commit.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let commit = match variable("PROFILE").as_str() {
        "release" => packed_commit().or_else(git_commit),
        _ => None,
    };
    let compiler = output(&variable("RUSTC"), &["--version"]);
    for (name, value) in [
        ("COMMIT", commit.unwrap_or_else(|| "unknown".into())),
        ("COMPILER", compiler.unwrap_or_else(|| "unknown".into())),
        ("TARGET", variable("TARGET")),
        ("PROFILE", profile(&variable("OUT_DIR")).unwrap_or_else(|| variable("PROFILE"))),
        ("OPT_LEVEL", variable("OPT_LEVEL")),
    ] {
        println!("cargo::rustc-env=NQUEENS_{name}={value}");
    }
}

/// The profile's own name: cargo's variable knows only debug and release, but the folder of this
/// script's output is `…/PROFILE/build/PACKAGE/out`.
fn profile(out: &str) -> Option<String> {
    Some(Path::new(out).ancestors().nth(3)?.file_name()?.to_str()?.into())
}

/// The commit that `cargo package` noted down.
fn packed_commit() -> Option<String> {
    let info = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = info.split_once("\"sha1\": \"")?;
    rest.get(..12).map(Into::into)
}

/// The commit of the repository that this package is the root of; `-dirty` if files differ from it.
fn git_commit() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"])?;
    let changed = output("git", &["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { commit } else { commit + "-dirty" })
}

fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
