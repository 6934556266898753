//! What is known about the computer this program runs on.
//!
//! Read from where Linux shows it; elsewhere most of it is unknown, which is no error.

use std::fs;
use std::path::Path;
use std::time::Duration;

use nqueens::Kernel;
use serde::{Deserialize, Serialize};

/// A computer, as far as it matters for a count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    /// Operating system and architecture.
    pub(crate) system: String,
    /// The name that the CPU gives itself.
    pub(crate) cpu: Option<String>,
    /// CPU features that matter here and are present.
    pub(crate) features: Vec<String>,
    /// Kernels that this CPU can run, slowest first.
    pub(crate) kernels: Vec<String>,
    /// CPUs that are switched on; two threads of one core count twice.
    pub(crate) cpus: Option<usize>,
    /// Cores, if that is known to differ from `cpus` or not.
    pub(crate) cores: Option<usize>,
    /// CPUs that this process may run on.
    pub(crate) affinity: Option<usize>,
    /// CPU time per time that the control group may use, in CPUs.
    pub(crate) quota: Option<f64>,
    /// How the clock is governed: `performance`, `schedutil`, …
    pub(crate) governor: Option<String>,
    /// Memory of the machine.
    pub(crate) memory_bytes: Option<u64>,
    /// Memory that programs may still take.
    pub(crate) memory_available_bytes: Option<u64>,
    /// Memory that this process may still take.
    pub(crate) memory_limit_bytes: Option<u64>,
    /// What allows no more.
    #[serde(default)]
    pub(crate) memory_limited_by: Option<String>,
    /// Running or waiting threads, averaged over a minute.
    pub(crate) load: Option<f64>,
}

impl Machine {
    /// This machine, now.
    pub(crate) fn this() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Self {
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            cpu: field(&cpuinfo, "model name").map(Into::into),
            features: features().into_iter().map(Into::into).collect(),
            kernels: Kernel::available().into_iter().map(|kernel| kernel.to_string()).collect(),
            cpus: positive(cpuinfo.lines().filter(|line| line.starts_with("processor")).count()),
            cores: positive(cores(&cpuinfo)),
            affinity: affinity(),
            quota: cgroup("cpu.max", parse_quota).into_iter().min_by(f64::total_cmp),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            memory_bytes: kibibytes(&meminfo, "MemTotal"),
            memory_available_bytes: kibibytes(&meminfo, "MemAvailable"),
            memory_limit_bytes: nqueens::memory_bound().map(|bound| bound.bytes),
            memory_limited_by: nqueens::memory_bound().map(|bound| bound.by.into()),
            load: read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
        }
    }

    /// CPU and number of CPUs, for headlines.
    pub(crate) fn name(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or(&self.system);
        match self.cpus {
            Some(1) => format!("{cpu}, 1 CPU"),
            Some(cpus) => format!("{cpu}, {cpus} CPUs"),
            None => cpu.to_string(),
        }
    }
}

/// CPU time that this process has used on all its threads; `None` where it cannot be read.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
    }
    #[cfg(not(unix))]
    None
}

/// How often a CPU was too hot, or this process above its quota, since the machine was started.
pub(crate) fn throttled() -> u64 {
    let cpus = fs::read_dir("/sys/devices/system/cpu").into_iter().flatten().flatten();
    let hot = cpus.filter_map(|cpu| {
        let count = cpu.path().join("thermal_throttle/core_throttle_count");
        fs::read_to_string(count).ok()?.trim().parse::<u64>().ok()
    });
    let above_quota = cgroup("cpu.stat", |text| {
        text.lines().find_map(|line| line.strip_prefix("nr_throttled ")?.parse::<u64>().ok())
    });
    hot.chain(above_quota).sum()
}

#[cfg(target_os = "linux")]
fn affinity() -> Option<usize> {
    let cpus = rustix::thread::sched_getaffinity(None).ok()?;
    usize::try_from(cpus.count()).ok()
}

#[cfg(not(target_os = "linux"))]
fn affinity() -> Option<usize> {
    None
}

/// The features that kernels ask for or would gain from.
fn features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! present {
            ($($feature:tt)*) => {
                [$(($feature, is_x86_feature_detected!($feature))),*]
            };
        }
        let all = present!(
            "popcnt" "bmi1" "bmi2" "avx" "avx2" "avx512f" "avx512bw" "avx512dq" "avx512vl"
            "avx512vbmi2" "avx512vpopcntdq"
        );
        all.into_iter().filter_map(|(feature, present)| present.then_some(feature)).collect()
    }
    #[cfg(target_arch = "aarch64")]
    {
        let neon = std::arch::is_aarch64_feature_detected!("neon");
        neon.then_some("neon").into_iter().collect()
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    Vec::new()
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_string())
}

/// The value of the first line `name : value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let kibibytes: u64 = field(text, name)?.strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Different pairs of package and core.
fn cores(cpuinfo: &str) -> usize {
    let cpus = cpuinfo.split("\n\n");
    let cores = cpus.filter_map(|cpu| Some((field(cpu, "physical id")?, field(cpu, "core id")?)));
    cores.collect::<std::collections::HashSet<_>>().len()
}

fn positive(number: usize) -> Option<usize> {
    (number > 0).then_some(number)
}

/// `QUOTA PERIOD` in microseconds, or `max PERIOD` for no limit.
fn parse_quota(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

/// What `file` says in the control group of this process and those above it.
fn cgroup<T>(file: &str, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let Some(group) = groups.lines().find_map(|line| line.strip_prefix("0::/")) else {
        return Vec::new();
    };
    let root = Path::new("/sys/fs/cgroup");
    let folder = root.join(group);
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(root));
    folders.filter_map(|folder| parse(&read(folder.join(file))?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_shows() {
        let cpuinfo = "processor\t: 0\nmodel name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 3\n\n\
                       processor\t: 1\nmodel name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 3\n";
        assert_eq!(field(cpuinfo, "model name"), Some("A CPU"));
        assert_eq!(cores(cpuinfo), 1);
        assert_eq!(kibibytes("MemTotal:       2 kB\n", "MemTotal"), Some(2048));
        assert_eq!(parse_quota("150000 100000"), Some(1.5));
        assert_eq!(parse_quota("max 100000"), None);
    }
}
