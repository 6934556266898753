//! `nqueens info`: what this program knows about the machine, and what it would do on it.

use std::fmt::Write as _;
use std::io::Write;

use nqueens::{Kernel, MAX_CONSTRUCTED, MAX_N, MAX_THREADS, known};
use serde::Serialize;

use crate::cli::context::{Context, ThreadsFrom};
use crate::cli::failure::Failure;
use crate::cli::machine::Machine;
use crate::cli::report::{pretty_json, write_text};
use crate::cli::version::Build;
use crate::cli::wording::plural;

/// Shows CPU, features, kernels, threads, memory, limits and build.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct InfoArgs {
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// The JSON of `info`: this struct is the schema. What is unknown is null.
#[derive(Debug, Serialize)]
struct Info {
    /// The computer.
    machine: Machine,
    /// The kernel that a count takes if none is asked for.
    kernel: String,
    /// All kernels of this program.
    kernels: Vec<KernelInfo>,
    /// Threads that a count takes if none are asked for.
    threads: usize,
    /// Why so many.
    threads_because: String,
    /// The largest inputs.
    limits: Limits,
    /// This program.
    build: Build,
}

/// A kernel, and whether this CPU can run it.
#[derive(Debug, Serialize)]
struct KernelInfo {
    name: &'static str,
    available: bool,
    /// CPU features that it needs and this CPU lacks.
    missing: Vec<&'static str>,
}

/// The largest inputs.
#[derive(Debug, Serialize)]
struct Limits {
    /// Rows of a board whose solutions are counted.
    counted_board: u32,
    /// Rows of the largest board whose count is checked against a published one.
    known_board: u32,
    /// Rows of a board that is constructed.
    constructed_board: u32,
    threads: usize,
}

impl InfoArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let info = Info::new(context);
        let text = if self.json { pretty_json(&info) } else { info.text() };
        write_text(output, &text)
    }
}

impl Info {
    fn new(context: &Context) -> Self {
        let machine = Machine::this();
        let threads_because = threads_because(&machine, context.threads_from);
        let kernels = Kernel::ALL.iter().map(|kernel| KernelInfo {
            name: kernel.name(),
            available: kernel.is_available(),
            missing: kernel.missing(),
        });
        let limits = Limits {
            counted_board: MAX_N,
            known_board: (0..=MAX_N).rfind(|&n| known::solutions(n).is_some()).unwrap_or(0),
            constructed_board: MAX_CONSTRUCTED,
            threads: MAX_THREADS,
        };
        Self {
            machine,
            kernel: Kernel::best().to_string(),
            kernels: kernels.collect(),
            threads: context.threads(),
            threads_because,
            limits,
            build: Build::this(),
        }
    }

    /// One line for each thing.
    fn text(&self) -> String {
        let Self { machine, limits, build, .. } = self;
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            writeln!(text, "{name:<9} {value}").expect("a string can be written to");
        };
        let known = |value: Option<String>| value.unwrap_or_else(|| "unknown".into());
        line("CPU", known(machine.cpu.clone()));
        line("system", machine.system.clone());
        line("features", machine.features.join(" "));
        for kernel in &self.kernels {
            let what = match () {
                () if kernel.name == self.kernel => "chosen".to_string(),
                () if kernel.available => "available".to_string(),
                () if kernel.missing.is_empty() => format!("not allowed by {}", Kernel::VARIABLE),
                () => format!("needs {}", kernel.missing.join(" ")),
            };
            line("kernel", format!("{:<9} {what}", kernel.name));
        }
        line("threads", format!("{}: {}", self.threads, self.threads_because));
        line("memory", memory(machine));
        line("load", known(machine.load.map(|load| load.to_string())));
        let Limits { counted_board, known_board, constructed_board, threads } = limits;
        line("limits", format!("counts up to N = {counted_board}, checked up to {known_board}"));
        line("", format!("one board up to N = {constructed_board}, {threads} threads"));
        line("version", format!("{}, commit {}", build.version, build.commit));
        line("build", format!("{}, profile {}", build.target, build.profile));
        line("compiler", build.compiler.clone());
        text
    }
}

/// Why a count takes as many threads as it does.
fn threads_because(machine: &Machine, from: ThreadsFrom) -> String {
    let count = |cpus: usize| format!("{cpus} CPU{}", plural(cpus));
    let mut reasons = Vec::new();
    match from {
        ThreadsFrom::Option => reasons.push("--threads says so".to_string()),
        ThreadsFrom::Environment => reasons.push("RAYON_NUM_THREADS says so".to_string()),
        ThreadsFrom::Machine => {}
    }
    reasons.extend(machine.cpus.map(|cpus| format!("{} on this machine", count(cpus))));
    reasons.extend(machine.cores.map(|cores| format!("{cores} cores")));
    reasons.extend(machine.affinity.map(|cpus| format!("affinity allows {}", count(cpus))));
    reasons.push(match machine.quota {
        Some(quota) => format!("the control group's quota allows {quota:.1} CPUs"),
        None => "no CPU quota".to_string(),
    });
    reasons.join(", ")
}

fn memory(machine: &Machine) -> String {
    let gib = |bytes: u64| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
    let bound = machine.memory_limit_bytes.zip(machine.memory_limited_by.as_ref());
    let parts = [
        machine.memory_bytes.map(gib),
        machine.memory_available_bytes.map(|bytes| format!("{} available", gib(bytes))),
        bound.map(|(bytes, by)| format!("bounded to {} by {by}", gib(bytes))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "unknown".into() } else { parts.join(", ") }
}
