//! How much memory this process may still take: the least that any bound leaves.
//!
//! On Linux these bounds count:
//!
//! - the free memory of the machine,
//! - the memory limits of the control groups on the way from that of this process to the root, each less
//!   what is in use there (version 2: `memory.max` and `memory.high`; version 1: `memory.limit_in_bytes`).
//!   Pages of files that were not used lately are given back when memory is short, so they do not count,
//! - the limits of the process on its address space and its data (`ulimit -v` and `-d`), less what it has.
//!
//! Batch systems and containers set the second, careful administrators the third; whoever takes more is
//! killed, or cannot go on. Elsewhere the free memory is all that is known. Costs: a few small files are
//! read, in less than a millisecond.

use std::fs;
use std::path::{Path, PathBuf};

/// The tightest bound on the memory of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryBound {
    /// Bytes that may still be taken.
    pub bytes: u64,
    /// What allows no more, in words.
    pub by: &'static str,
}

/// How much memory this process may still take, and what bounds it; `None` where the system says nothing.
#[must_use]
pub fn memory_bound() -> Option<MemoryBound> {
    tightest(free_memory(), Path::new("/"))
}

/// The free memory of the machine. Zero would be said where it cannot be found out.
fn free_memory() -> Option<u64> {
    let mut system = sysinfo::System::new().ok()?;
    system.refresh_memory();
    Some(system.available_memory()).filter(|&bytes| bytes > 0)
}

/// The tightest bound where `free` bytes are free, and the system shows itself in files under `root`.
fn tightest(free: Option<u64>, root: &Path) -> Option<MemoryBound> {
    let bound = |bytes, by| MemoryBound { bytes, by };
    let free = free.map(|bytes| bound(bytes, "the free memory of the machine"));
    let groups =
        control_groups(root).map(|bytes| bound(bytes, "the memory limit of a control group"));
    let limits = [
        ("Max address space", "VmSize", "the limit on the address space of the process"),
        ("Max data size", "VmData", "the limit on the data of the process"),
    ];
    let limits = limits.into_iter().filter_map(|(limit, used, by)| {
        let limit = process_limit(&read(&root.join("proc/self/limits"))?, limit)?;
        let used = kibibytes(&read(&root.join("proc/self/status"))?, used)?;
        Some(bound(limit.saturating_sub(used), by))
    });
    free.into_iter().chain(groups).chain(limits).min_by_key(|bound| bound.bytes)
}

/// The soft limit in a line such as `Max address space  4096  unlimited  bytes`.
fn process_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The bytes in a line such as `VmSize:    3896 kB`.
fn kibibytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// What each limit of a control group leaves, from the group of this process up to the root.
fn control_groups(root: &Path) -> impl Iterator<Item = u64> {
    let groups = read(&root.join("proc/self/cgroup")).unwrap_or_default();
    let mounts = read(&root.join("proc/self/mountinfo")).unwrap_or_default();
    let hierarchies = groups.lines().filter_map(|line| {
        let (_, line) = line.split_once(':')?;
        let (controllers, group) = line.split_once(':')?;
        let version = match controllers {
            "" => &VERSION_2,
            _ if controllers.split(',').any(|name| name == "memory") => &VERSION_1,
            _ => return None,
        };
        let mount = mounts.lines().filter_map(Mount::read).find(|mount| version.is_at(mount))?;
        let top = root.join(mount.point.strip_prefix("/").ok()?);
        // What lies above the root of a mount, as in a container, cannot be seen.
        let below = Path::new(group).strip_prefix(mount.root).unwrap_or(Path::new(""));
        let folder = top.join(below);
        let folders = folder.ancestors().take_while(|folder| folder.starts_with(&top));
        Some(folders.filter_map(|folder| version.left(folder)).collect::<Vec<_>>())
    });
    hierarchies.flatten().collect::<Vec<_>>().into_iter()
}

/// A mounted file system, from a line of `mountinfo`.
struct Mount<'a> {
    /// The folder of the file system that is its root here.
    root: &'a str,
    point: PathBuf,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (here, system) = line.split_once(" - ")?;
        let mut here = here.split(' ').skip(3);
        let (root, point) = (here.next()?, here.next()?.into());
        let mut system = system.split(' ');
        let (kind, options) = (system.next()?, system.nth(1)?);
        Some(Self { root, point, kind, options })
    }
}

/// How a version of control groups names its files.
struct Version {
    kind: &'static str,
    /// Its mount has this option.
    option: Option<&'static str>,
    limits: &'static [&'static str],
    used: &'static str,
    /// The line of `memory.stat` that says what is given back.
    unused: &'static str,
}

static VERSION_2: Version = Version {
    kind: "cgroup2",
    option: None,
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    unused: "inactive_file",
};

static VERSION_1: Version = Version {
    kind: "cgroup",
    option: Some("memory"),
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    unused: "total_inactive_file",
};

impl Version {
    fn is_at(&self, mount: &Mount<'_>) -> bool {
        let has = |option| mount.options.split(',').any(|other| other == option);
        mount.kind == self.kind && self.option.is_none_or(has)
    }

    /// What the group in `folder` may still take, if it has a limit.
    fn left(&self, folder: &Path) -> Option<u64> {
        let number = |name: &&str| read(&folder.join(name))?.trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(number).min()?;
        let used = number(&self.used).unwrap_or(0);
        let stat = read(&folder.join("memory.stat")).unwrap_or_default();
        let unused = stat.lines().find_map(|line| {
            let (name, bytes) = line.split_once(' ')?;
            (name == self.unused).then(|| bytes.parse::<u64>().ok())?
        });
        Some(limit.saturating_sub(used.saturating_sub(unused.unwrap_or(0))))
    }
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system that shows itself in these files.
    struct System(PathBuf);

    impl System {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("nqueens-{name}-{}", std::process::id()));
            for (file, text) in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self(root)
        }

        fn bytes(&self, free: u64) -> u64 {
            tightest(Some(free), &self.0).unwrap().bytes
        }
    }

    impl Drop for System {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MOUNT_2: (&str, &str) = (
        "proc/self/mountinfo",
        "30 23 0:26 / /proc rw - proc proc rw\n\
         31 23 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
    );

    #[test]
    fn the_smallest_limit_on_the_way_up_counts() {
        let job = "sys/fs/cgroup/system.slice/job/";
        let at = |file: &str| format!("{job}{file}");
        let system = System::new(
            "groups-2",
            &[
                MOUNT_2,
                ("proc/self/cgroup", "0::/system.slice/job/step\n"),
                (&at("step/memory.max"), "max\n"),
                (&at("step/memory.current"), "1000\n"),
                (&at("memory.max"), "300000\n"),
                (&at("memory.current"), "120000\n"),
                (&at("memory.stat"), "anon 70000\ninactive_file 20000\n"),
                ("sys/fs/cgroup/system.slice/memory.max", "900000\n"),
                ("sys/fs/cgroup/system.slice/memory.current", "130000\n"),
            ],
        );
        assert_eq!(system.bytes(u64::MAX), 200_000);
        assert_eq!(system.bytes(100), 100);
        assert_eq!(tightest(None, &system.0).unwrap().bytes, 200_000);
        fs::write(system.0.join(at("step/memory.high")), "150000").unwrap();
        assert_eq!(system.bytes(u64::MAX), 149_000);
        fs::write(system.0.join(at("step/memory.current")), "160000").unwrap();
        assert_eq!(system.bytes(u64::MAX), 0);
    }

    #[test]
    fn version_1_and_both_at_once() {
        let system = System::new(
            "groups-1",
            &[
                (
                    "proc/self/mountinfo",
                    "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                     35 31 0:32 /docker/1 /sys/fs/cgroup/memory rw shared:1 - cgroup cgroup rw,memory\n\
                     36 31 0:33 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
                ),
                ("proc/self/cgroup", "4:cpu:/x\n3:memory:/docker/1/job\n0::/x\n"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "500000\n"),
                ("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "100000\n"),
                ("sys/fs/cgroup/memory/job/memory.stat", "cache 1\ntotal_inactive_file 50000\n"),
                ("sys/fs/cgroup/unified/x/memory.max", "max\n"),
            ],
        );
        assert_eq!(system.bytes(u64::MAX), 450_000);
    }

    #[test]
    fn limits_of_the_process() {
        let status = ("proc/self/status", "Name:\tq\nVmSize:\t    2 kB\nVmData:\t    1 kB\n");
        let limits = "Limit  Soft Limit  Hard Limit  Units\n\
                      Max data size             9000     unlimited            bytes     \n\
                      Max address space         8192     unlimited            bytes     \n";
        let system = System::new("limits", &[status, ("proc/self/limits", limits)]);
        let bound = tightest(Some(u64::MAX), &system.0).unwrap();
        assert_eq!(bound.bytes, 8192 - 2048);
        assert!(bound.by.contains("address space"));
        let limits = limits.replace("8192     ", "unlimited");
        fs::write(system.0.join("proc/self/limits"), limits).unwrap();
        assert_eq!(system.bytes(u64::MAX), 9000 - 1024);
    }

    #[test]
    fn what_is_not_there_bounds_nothing() {
        let nowhere = Path::new("no such folder");
        assert_eq!(tightest(None, nowhere), None);
        assert_eq!(tightest(Some(5), nowhere).unwrap().bytes, 5);
        let garbage = [
            ("proc/self/cgroup", "0::\n\n:\n::\n0:memory\n1:memory:relative\n"),
            ("proc/self/mountinfo", "\n - \n1 2 3 4 - cgroup2\n31 2 3 / x - cgroup2 c rw\n"),
            ("proc/self/limits", "Max address space\nMax data size x\n"),
            ("proc/self/status", "VmSize: kB\nVmData:\n"),
        ];
        let system = System::new("garbage", &garbage);
        assert_eq!(tightest(None, &system.0), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_memory() {
        assert!(memory_bound().unwrap().bytes > 1 << 20);
    }
}
