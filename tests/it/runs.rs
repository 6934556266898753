//! Long runs of the built binary: checkpoint files under kills, damage, full disks and signals.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{
    Folder, SOON, ends, ends_by_signal, is_refused, json, kill, limited, nqueens, prints, run,
    signal, stderr, stdout, wait_until,
};

/// A subcommand and its options, separated by spaces, about a file.
fn about(words: &str, file: &Path) -> Command {
    let mut command = nqueens();
    command.args(words.split(' ')).arg(file);
    command
}

/// The command of a run with a checkpoint file: the board and its options, separated by spaces.
fn counting(options: &str, file: &Path) -> Command {
    about(&format!("{options} --checkpoint"), file)
}

/// Refused, and the file left as it was.
#[track_caller]
fn is_spared(file: &Path, command: Command, code: i32, because: &[&str]) {
    let before = fs::read(file).ok();
    is_refused(command, code, because);
    assert_eq!(fs::read(file).ok(), before);
}

/// Solutions of every unit in a checkpoint file, read without the code of the program: complete lines
/// with four numbers and a check sum.
fn units(file: &Path) -> HashMap<u64, u64> {
    let text = fs::read_to_string(file).unwrap();
    let complete = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut units = HashMap::new();
    for line in complete.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 5, "{line}");
        let unit = words[0].parse().unwrap();
        assert_eq!(units.insert(unit, words[1].parse().unwrap()), None, "unit {unit} twice");
    }
    units
}

/// Changes the line that begins with `start` and gives it the right check sum.
fn edit(file: &Path, start: &str, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(file).unwrap();
    let unsigned = |line: &str| line[..line.len() - 9].to_string();
    let sum = |begin: u32, text: &str| {
        let mut hasher = crc32fast::Hasher::new_with_initial(begin);
        hasher.update(text.as_bytes());
        hasher.finalize()
    };
    let first = sum(0, &unsigned(text.lines().next().unwrap()));
    let mut new = String::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with(start) {
            let line = change(&unsigned(line));
            let begin = if number == 0 { 0 } else { first };
            new += &format!("{line} {:08x}\n", sum(begin, &line));
        } else {
            new += &format!("{line}\n");
        }
    }
    fs::write(file, new).unwrap();
}

/// Waits until a run has saved `more` units.
fn wait_for_units(file: &Path, more: usize) {
    wait_until("waited for units", || file.exists() && units(file).len() >= more);
}

#[test]
fn a_hundred_kills_lose_and_double_nothing() {
    let folder = Folder::new("kills");
    let mut random = fastrand::Rng::with_seed(6);
    let (mut kills, mut finished) = (0, 0);
    while kills < 100 || finished == 0 {
        let file = folder.file(&format!("{finished}.nq"));
        let threads = [1, 2, 3, 8][random.usize(..4)];
        let kernel = ["auto", "portable"][random.usize(..2)];
        let algorithm = ["bitboard", "join"][finished % 2];
        let options = format!("15 -a {algorithm} --threads {threads} --kernel {kernel}");
        let child = counting(&options, &file).spawn().unwrap();
        let before = if file.exists() { units(&file).len() } else { 0 };
        std::thread::sleep(Duration::from_millis(random.u64(5..200)));
        let output = kill(child);
        if output.status.success() {
            assert_eq!(stdout(&output), "2279184\n");
            let units = units(&file);
            assert_eq!(units.values().sum::<u64>(), 2_279_184);
            prints(about("resume", &file), "2279184\n");
            finished += 1;
        } else {
            assert_eq!(output.status.code(), None, "{}", stderr(&output));
            kills += 1;
            assert!(!file.exists() || units(&file).len() >= before);
        }
    }
    // No other files pile up.
    assert!(fs::read_dir(&folder.0).unwrap().count() <= finished + 1);
}

#[test]
fn a_file_cut_off_anywhere_is_refused_or_gone_on_with() {
    let folder = Folder::new("cut");
    let whole = folder.file("whole.nq");
    prints(counting("7 -t 1", &whole), "40\n");
    let bytes = fs::read(&whole).unwrap();
    let file = folder.file("cut.nq");
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in 0..bytes.len() {
        fs::write(&file, &bytes[..length]).unwrap();
        if (1..header).contains(&length) {
            is_spared(&file, counting("7", &file), 1, &["cut.nq", "first line"]);
        } else {
            prints(counting("7", &file), "40\n");
            assert_eq!(units(&file).values().sum::<u64>(), 40);
        }
    }
}

#[test]
fn a_flipped_bit_never_changes_the_count() {
    let folder = Folder::new("flip");
    let whole = folder.file("whole.nq");
    prints(counting("6 -t 1", &whole), "4\n");
    let bytes = fs::read(&whole).unwrap();
    let file = folder.file("flip.nq");
    let (mut refused, mut repaired) = (0, 0);
    for bit in (0..8 * bytes.len()).step_by(3) {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, &flipped).unwrap();
        let output = counting("6", &file).output().unwrap();
        if output.status.success() {
            assert_eq!(stdout(&output), "4\n", "bit {bit}");
            continue;
        }
        refused += 1;
        assert_eq!(stdout(&output), "", "bit {bit}");
        assert!([Some(1), Some(2)].contains(&output.status.code()), "{}", stderr(&output));
        assert!(stderr(&output).contains("flip.nq"), "{}", stderr(&output));
        assert_eq!(fs::read(&file).unwrap(), flipped, "bit {bit}");
        if stderr(&output).contains("--repair") && bit % 5 == 0 {
            repaired += 1;
            eprintln!("repairs bit {bit}");
            ends(&run(about("verify --repair", &file)), 0, &[]);
            prints(about("resume", &file), "4\n");
            let damaged = folder.file("flip.nq.damaged");
            assert_eq!(fs::read(&damaged).unwrap(), flipped);
            fs::remove_file(damaged).unwrap();
        }
    }
    assert!(refused > 1000 && repaired > 100, "{refused}, {repaired}");
}

#[test]
fn a_second_process_is_refused() {
    let folder = Folder::new("two");
    let file = folder.file("run.nq");
    let mut first = counting("18 -a bitboard --kernel portable", &file).spawn().unwrap();
    wait_for_units(&file, 10);
    let refused = |command| is_refused(command, 1, &["in use by another process"]);
    refused(counting("18", &file));
    refused(about("resume", &file));
    refused(about("verify --repair", &file));
    #[cfg(unix)]
    {
        let link = folder.file("link.nq");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        refused(counting("18", &link));
    }
    let status = run(about("status", &file));
    assert!(stdout(&status).contains("units per second"), "{}", stderr(&status));
    assert_eq!(first.try_wait().unwrap(), None, "the first goes on");
    kill(first);
}

#[cfg(unix)]
#[test]
fn signals_finish_the_units_in_hand_and_save() {
    let folder = Folder::new("signals");
    let file = folder.file("my run.nq");
    let mut done = 0;
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let child = counting("17 -a bitboard --kernel portable -t 2", &file).spawn().unwrap();
        wait_for_units(&file, done + 20);
        let output = ends_by_signal(child, name, code);
        assert_eq!(stdout(&output), "", "no partial number");
        let advice = format!("nqueens resume '{}'", file.display());
        assert!(stderr(&output).contains(&advice), "{}", stderr(&output));
        assert!(units(&file).len() > done, "{name}");
        done = units(&file).len();
    }
    let output = nqueens().args(["resume", "-t", "3", "--time"]).arg(&file).output().unwrap();
    assert_eq!(stdout(&output), "95815104\n");
    assert!(stderr(&output).contains("of it now"), "{}", stderr(&output));
    assert_eq!(units(&file).values().sum::<u64>(), 95_815_104);
}

#[cfg(unix)]
#[test]
fn the_second_signal_stops_at_once() {
    let folder = Folder::new("twice");
    let file = folder.file("run.nq");
    // A unit of naive takes minutes.
    let child = counting("16 -a naive", &file).spawn().unwrap();
    wait_until("waited for the file", || file.exists());
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(300));
    let output = ends_by_signal(child, "INT", 130);
    ends(&output, 130, &["stopped at once"]);
    ends(&run(about("status", &file)), 0, &[]);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_a_warning() {
    let folder = Folder::new("limit");
    let file = folder.file("run.nq");
    let mut command = limited("-f 4");
    command.args(["15", "-a", "bitboard", "--checkpoint"]).arg(&file);
    let output = prints(command, "2279184\n");
    assert_eq!(stderr(&output).matches("cannot save").count(), 1, "{}", stderr(&output));
    // Whole lines, as many as fit: the shell counts blocks of 512 or of 1024 bytes.
    let len = fs::metadata(&file).unwrap().len();
    assert!((1900..=2048).contains(&len) || (3900..=4096).contains(&len), "{len}");
    ends(&run(about("status", &file)), 0, &[]);
    prints(counting("15", &file), "2279184\n");
    assert_eq!(units(&file).values().sum::<u64>(), 2_279_184);
}

#[test]
fn line_ends_of_any_system() {
    let folder = Folder::new("crlf");
    let file = folder.file("run.nq");
    prints(counting("8", &file), "92\n");
    let text = fs::read_to_string(&file).unwrap();
    let some: Vec<&str> = text.lines().take(10).collect();
    fs::write(&file, some.join("\r\n") + "\r\n").unwrap();
    let done = units(&file).len();
    assert!(stdout(&run(about("status", &file))).contains(&format!("{done} of")));
    ends(&run(about("verify", &file)), 0, &[]);
    prints(about("resume", &file), "92\n");
    prints(about("merge", &file), "92\n");
    prints(counting("8", &file), "92\n");
}

#[test]
fn a_unit_that_there_is_not() {
    let folder = Folder::new("beyond");
    let file = folder.file("run.nq");
    prints(counting("8", &file), "92\n");
    edit(&file, "3 ", |line| line.replacen("3 ", "21 ", 1));
    is_spared(&file, about("status", &file), 1, &["holds unit 21", "its run has 21 units"]);
    ends(&run(about("verify --repair", &file)), 0, &[]);
    prints(about("resume", &file), "92\n");
}

#[test]
fn a_sum_that_cannot_be_right_is_called_wrong() {
    let folder = Folder::new("wrong-sum");
    let file = folder.file("run.nq");
    prints(counting("8", &file), "92\n");
    edit(&file, "3 ", |line| {
        let words: Vec<&str> = line.split(' ').collect();
        format!("3 700 {} {}", words[2], words[3])
    });
    for command in ["status", "resume", "verify", "merge"] {
        let output = run(about(command, &file));
        assert_eq!(output.status.code(), Some(3), "{command}: {}", stderr(&output));
    }
    assert!(stdout(&run(about("status", &file))).contains("is wrong: OEIS A000170 has 92"));
    assert_eq!(json(stdout(&run(about("status --json", &file))))["wrong"], true);
}

#[test]
fn a_small_sample_is_one_unit_at_least() {
    let folder = Folder::new("sample");
    let file = folder.file("run.nq");
    prints(counting("6 -a bitboard", &file), "4\n");
    for _ in 0..5 {
        let report = json(stdout(&run(about("verify --json --sample 0.0001%", &file)))).clone();
        assert_eq!(report["recounted"], 1, "{report}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_gap_after_a_power_cut_takes_no_memory() {
    let folder = Folder::new("sparse");
    let file = folder.file("run.nq");
    prints(counting("8", &file), "92\n");
    let end = fs::metadata(&file).unwrap().len();
    let sparse = fs::File::options().write(true).open(&file).unwrap();
    sparse.set_len(end + (1 << 30)).unwrap();
    for words in ["status", "merge", "verify --repair", "resume"] {
        let mut command = limited("-v 400000");
        command.args(words.split(' ')).arg(&file);
        ends(&run(command), 0, &[]);
    }
    assert_eq!(fs::metadata(&file).unwrap().len(), end);
    // The same in the middle, where a line follows.
    let text = fs::read_to_string(&file).unwrap();
    let (head, last) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&file, head).unwrap();
    sparse.set_len(head.len() as u64 + (1 << 30)).unwrap();
    let mut again = fs::File::options().append(true).open(&file).unwrap();
    std::io::Write::write_all(&mut again, format!("\n{last}\n").as_bytes()).unwrap();
    let mut command = limited("-v 400000");
    command.arg("status").arg(&file);
    is_refused(command, 1, &["1 line does not match"]);
}

#[cfg(unix)]
#[test]
fn pipes_are_no_files() {
    let folder = Folder::new("fifo");
    let fifo = folder.file("a\nb");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for words in ["resume", "status", "verify", "verify --repair", "merge", "8 --checkpoint"] {
        is_refused(about(words, &fifo), 2, &["a\\nb is no plain file"]);
    }
    is_refused(about("work 8 --out", &fifo), 2, &["is no plain file"]);
    // What a shell hands over may be a pipe.
    let mut command = Command::new("sh");
    command.args(["-c", "\"$0\" work 8 | \"$0\" merge /dev/stdin", crate::program::PROGRAM]);
    prints(command, "92\n");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_take_away_is_written_again() {
    for remove in [true, false] {
        let folder = Folder::new("taken");
        let [file, elsewhere] = ["run.nq", "elsewhere.nq"].map(|name| folder.file(name));
        let child = counting("16 -a bitboard --kernel portable -t 1", &file).spawn().unwrap();
        wait_for_units(&file, 10);
        if remove {
            fs::remove_file(&file).unwrap();
        } else {
            fs::rename(&file, &elsewhere).unwrap();
        }
        wait_for_units(&file, 20);
        let because = ["it was removed or renamed", "works again", "stopped and saved"];
        ends(&ends_by_signal(child, "TERM", 143), 143, &because);
        prints(about("resume", &file), "14772512\n");
        assert_eq!(units(&file).values().sum::<u64>(), 14_772_512);
    }
}

#[cfg(unix)]
#[test]
fn what_others_put_in_its_place_is_spared() {
    let folder = Folder::new("replaced");
    for (how, because) in [("replaced", "another file has its name"), ("cut", "it was cut off")] {
        let file = folder.file(how);
        let child = counting("18 -a bitboard --kernel portable -t 2", &file).spawn().unwrap();
        wait_for_units(&file, 10);
        let content: &[u8] = if how == "cut" {
            fs::File::options().write(true).open(&file).unwrap().set_len(5).unwrap();
            b"nquee"
        } else {
            fs::rename(&file, folder.file("elsewhere.nq")).unwrap();
            fs::write(&file, "mine").unwrap();
            b"mine"
        };
        // The next save comes within a second.
        std::thread::sleep(Duration::from_millis(1500));
        let output = ends_by_signal(child, "TERM", 143);
        ends(&output, 143, &["cannot save to", because, "could not be saved to"]);
        assert!(!stderr(&output).contains("stopped and saved"), "{}", stderr(&output));
        assert_eq!(fs::read(&file).unwrap(), content);
    }
}

/// Mounts a small file system on a folder until it is dropped.
#[cfg(target_os = "linux")]
struct Mounted<'a>(&'a Folder);

#[cfg(target_os = "linux")]
impl<'a> Mounted<'a> {
    fn new(folder: &'a Folder, size: &str) -> Option<Self> {
        let mount = ["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"];
        let mounted = Command::new("mount").args(mount).arg(&folder.0).status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self(folder));
        }
        eprintln!("not tried: no right to mount a small file system");
        None
    }

    fn make_read_only(&self) {
        let again = Command::new("mount").args(["-o", "remount,ro"]).arg(&self.0.0).status();
        assert!(again.unwrap().success());
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_complete_needs_no_writing() {
    let folder = Folder::new("read-only");
    let Some(mounted) = Mounted::new(&folder, "1m") else { return };
    let [complete, part] = ["complete.nq", "part.nq"].map(|name| folder.file(name));
    prints(counting("8", &complete), "92\n");
    prints(counting("8", &part), "92\n");
    let text = fs::read_to_string(&part).unwrap();
    let shorter = text.lines().take(5).fold(String::new(), |text, line| text + line + "\n");
    fs::write(&part, shorter).unwrap();
    mounted.make_read_only();
    prints(counting("8", &complete), "92\n");
    prints(about("resume", &complete), "92\n");
    prints(about("resume --fundamental", &complete), "12\n");
    ends(&run(about("verify", &complete)), 0, &[]);
    is_refused(about("resume", &part), 1, &["part.nq", "Read-only file system"]);
    is_refused(counting("8", &folder.file("new.nq")), 1, &["Read-only file system"]);
}

#[cfg(unix)]
#[test]
fn a_repair_touches_nothing_else() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("repair");
    let [file, link, other] = ["run.nq", "link.nq", "other"].map(|name| folder.file(name));
    prints(counting("8", &file), "92\n");
    let text = fs::read_to_string(&file).unwrap();
    let damaged: Vec<&str> = text.lines().filter(|line| !line.starts_with("3 ")).collect();
    let damaged = damaged.join("\n") + "\n3 1 1 1 00000000\n";
    fs::write(&file, &damaged).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    fs::write(&other, "something else").unwrap();
    symlink(&file, &link).unwrap();
    // What is there under the name of the new file is not written to, and is no obstacle for long.
    let new = folder.file("run.nq.repaired");
    symlink(&other, &new).unwrap();
    is_refused(about("verify --repair", &link), 1, &["run.nq.repaired is there already"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), damaged);
    assert_eq!(fs::read_to_string(&other).unwrap(), "something else");
    fs::remove_file(&new).unwrap();
    ends(&run(about("verify --repair", &link)), 0, &["run.nq.damaged"]);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(!new.exists());
    assert_eq!(fs::read_to_string(folder.file("run.nq.damaged")).unwrap(), damaged);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    prints(about("resume", &link), "92\n");
}

#[cfg(target_os = "linux")]
#[test]
fn saving_recovers_when_a_full_disk_has_room_again() {
    let folder = Folder::new("full");
    let Some(_mounted) = Mounted::new(&folder, "64k") else { return };
    let filler = folder.file("filler");
    let file = folder.file("run.nq");
    let mut child = counting("17 -a bitboard --kernel portable", &file).spawn().unwrap();
    wait_for_units(&file, 10);
    // Whatever the file system has left.
    let _ = fs::write(&filler, vec![0; 1 << 20]);
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let warned = lines.find(|line| line.as_ref().unwrap().contains("cannot save"));
    assert!(warned.unwrap().unwrap().contains("No space left"));
    let saved = units(&file).len();
    fs::remove_file(&filler).unwrap();
    let recovered = lines.find(|line| line.as_ref().unwrap().contains("works again"));
    assert!(recovered.is_some());
    assert!(units(&file).len() > saved);
    signal(&child, "TERM");
    let last = lines.map(Result::unwrap).last().unwrap();
    assert!(last.contains("stopped"), "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    let copy = Folder::new("full-copy");
    fs::copy(&file, copy.file("run.nq")).unwrap();
    prints(counting("17", &copy.file("run.nq")), "95815104\n");
}

#[test]
fn a_complete_file_prints_the_same_again() {
    let folder = Folder::new("complete");
    let file = folder.file("run.nq");
    prints(counting("12", &file), "14200\n");
    let complete = fs::read_to_string(&file).unwrap();
    for _ in 0..2 {
        prints(counting("12 -t 8 --kernel portable", &file), "14200\n");
        assert_eq!(fs::read_to_string(&file).unwrap(), complete);
    }
    // One unit left.
    let line = complete.lines().rfind(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    fs::write(&file, complete.replace(&format!("{}\n", line.unwrap()), "")).unwrap();
    assert!(stdout(&run(about("status", &file))).contains("so far"));
    for _ in 0..2 {
        prints(counting("12", &file), "14200\n");
        assert_eq!(units(&file).values().sum::<u64>(), 14_200);
    }
}

#[test]
fn other_runs_are_refused_with_both_values() {
    let folder = Folder::new("other");
    let file = folder.file("run.nq");
    prints(counting("10", &file), "724\n");
    is_spared(&file, counting("11", &file), 2, &["run.nq", "board is 10, not 11"]);
    let because = ["algorithm is bitboard, not naive"];
    is_spared(&file, counting("10 -a naive", &file), 2, &because);
    is_spared(&file, counting("10 --place 1,3", &file), 2, &["queens is -, not 1,3"]);
    is_spared(&file, counting("10 --toroidal", &file), 2, &["edges is open, not joined"]);
    is_spared(&file, counting("10 8", &file), 2, &["one board size"]);
    is_spared(&file, counting("-", &file), 2, &["one board size"]);
    edit(&file, "nqueens-checkpoint", |line| line.replace("rules 1", "rules 9"));
    is_spared(&file, counting("10", &file), 2, &["rules is 9, not 1"]);
    edit(&file, "nqueens-checkpoint", |line| line.replacen(" 1 ", " 2 ", 1));
    for command in ["status", "resume", "verify"] {
        is_spared(&file, about(command, &file), 2, &["format 2", "(format 1)"]);
    }
    let kept = folder.file("placed.nq");
    prints(counting("9 --place 1,3 --place 2,6", &kept), "14\n");
    prints(counting("9 --place 2,6 --place 1,3", &kept), "14\n");
    prints(about("resume", &kept), "14\n");
}

#[test]
fn other_files_are_refused() {
    let folder = Folder::new("foreign");
    for (name, text) in [("notes", "# my notes\n"), ("empty line", "\n"), ("zeros", "\0\0\0\0")] {
        let file = folder.file(name);
        fs::write(&file, text).unwrap();
        is_spared(&file, counting("8", &file), 2, &[name, "no checkpoint file"]);
        for command in ["status", "resume", "verify"] {
            is_spared(&file, about(command, &file), 2, &[name, "no checkpoint file"]);
        }
    }
    is_spared(&folder.0, counting("8", &folder.0), 2, &["is no plain file"]);
    let nowhere = folder.file("nowhere/run.nq");
    is_spared(&nowhere, counting("8", &nowhere), 1, &["nowhere", "No such file"]);
    is_spared(&nowhere, about("status", &nowhere), 1, &["nowhere", "No such file"]);
    // An empty file holds nothing that could be lost.
    let empty = folder.file("empty.nq");
    fs::write(&empty, "").unwrap();
    prints(counting("8", &empty), "92\n");
}

#[test]
fn every_small_board_and_algorithm_keeps_its_count() {
    let folder = Folder::new("small");
    for (n, count) in [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)] {
        let join = ["join"].into_iter().filter(|_| n >= 4);
        for algorithm in ["naive", "arrays", "bitboard"].into_iter().chain(join) {
            let file = folder.file(&format!("{n}-{algorithm}.nq"));
            for _ in 0..2 {
                prints(counting(&format!("{n} -a {algorithm}"), &file), &format!("{count}\n"));
            }
            let verified = run(about("verify", &file));
            assert_eq!(verified.status.code(), Some(0), "{n}, {algorithm}: {}", stdout(&verified));
        }
    }
    let toroidal = folder.file("toroidal.nq");
    for _ in 0..2 {
        prints(counting("7 --toroidal", &toroidal), "28\n");
    }
    prints(about("resume", &toroidal), "28\n");
}

#[test]
fn verify_names_each_unit_that_differs() {
    let folder = Folder::new("verify");
    let file = folder.file("run.nq");
    prints(counting("12", &file), "14200\n");
    let right = run(about("verify", &file));
    ends(&right, 0, &[]);
    assert!(stdout(&right).contains("by algorithm arrays"), "{}", stdout(&right));
    // One more and one less: the sum stays.
    for (unit, change) in [(7, 1), (11, -1)] {
        edit(&file, &format!("{unit} "), |line| {
            let mut words: Vec<String> = line.split(' ').map(String::from).collect();
            words[1] = (words[1].parse::<i64>().unwrap() + change).to_string();
            words.join(" ")
        });
    }
    prints(counting("12", &file), "14200\n");
    let wrong = run(about("verify", &file));
    assert_eq!(wrong.status.code(), Some(3));
    for unit in ["unit 7 differs", "unit 11 differs"] {
        assert!(stdout(&wrong).contains(unit), "{}", stdout(&wrong));
    }
    assert_eq!(stdout(&wrong).matches("differs").count(), 2);
    let report = json(stdout(&run(about("verify --json", &file))));
    assert_eq!(report["differences"][0]["unit"], 7);
    let report = json(stdout(&run(about("verify --sample 20% --json", &file))));
    assert!(report["recounted"].as_u64().unwrap() < report["done"].as_u64().unwrap());
    // Large units are counted again by another kernel.
    let large = folder.file("large.nq");
    prints(counting("15 -a bitboard", &large), "2279184\n");
    ends(&run(about("verify --sample 2%", &large)), 0, &[]);
}

#[test]
fn a_unit_twice_is_refused_and_repaired() {
    let folder = Folder::new("repeated");
    let file = folder.file("run.nq");
    prints(counting("8", &file), "92\n");
    let text = fs::read_to_string(&file).unwrap();
    let unit = text.lines().find(|line| line.starts_with("3 ")).unwrap();
    fs::write(&file, format!("{text}{unit}\n")).unwrap();
    is_spared(&file, counting("8", &file), 1, &["unit 3 twice", "--repair"]);
    ends(&run(about("verify --repair", &file)), 0, &[]);
    prints(counting("8", &file), "92\n");
}

#[test]
fn status_for_programs() {
    let folder = Folder::new("status");
    let file = folder.file("run.nq");
    prints(counting("12 --kernel portable -t 1", &file), "14200\n");
    let output = run(about("status --json", &file));
    let json = json(stdout(&output));
    assert_eq!(json["board"], 12);
    assert_eq!(json["complete"], true);
    assert_eq!(json["partial_count"], "14200");
    assert_eq!(json["done"], json["units"]);
    assert_eq!(json["sessions"][0]["kernel"], "portable");
    assert!(json["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn estimates_for_people_and_programs() {
    let boards = ["8", "16", "27", "32"].into_iter();
    for (n, algorithm) in boards.flat_map(|n| [(n, "bitboard"), (n, "join")]) {
        let started = Instant::now();
        let output = run(&["estimate", n, "--seconds", "0.5", "--json", "-a", algorithm]);
        ends(&output, 0, &[]);
        assert!(started.elapsed() < SOON);
        let json = json(stdout(&output));
        let number = |name: &str| json[name].as_f64().unwrap();
        assert!(number("count_standard_error") <= 0.3 * number("count"), "{json}");
        assert!(number("seconds") > 0.0 && number("nodes") > 0.0);
        if let Some(known) = json["known"].as_str() {
            let known: f64 = known.parse().unwrap();
            let distance = (number("count") - known).abs();
            assert!(distance <= 6.0 * number("count_standard_error") + 0.5, "{json}");
        }
    }
    let output = run(&["estimate", "20", "--seconds", "0.3"]);
    for word in ["39029188884", "standard error", "time", "memory"] {
        assert!(stdout(&output).contains(word), "{}", stdout(&output));
    }
    for wrong in [["estimate", "33", "-q"], ["estimate", "8", "--seconds=0"]] {
        ends(&run(&wrong), 2, &[]);
    }
}

#[test]
fn progress_goes_on_where_it_was() {
    let folder = Folder::new("progress");
    let file = folder.file("run.nq");
    let child = counting("15 -a bitboard --kernel portable -t 1", &file).spawn().unwrap();
    wait_for_units(&file, 50);
    kill(child);
    let output = prints(counting("15", &file), "2279184\n");
    assert!(stderr(&output).contains("were counted before"), "{}", stderr(&output));
    let output = prints(counting("15 -q", &file), "2279184\n");
    assert_eq!(stderr(&output), "");
}

#[test]
fn going_on_answers_the_same_question() {
    let folder = Folder::new("question");
    let file = folder.file("q.nq");
    prints(counting("8 --fundamental", &file), "12\n");
    prints(about("resume --fundamental --double-check", &file), "12\n");
    prints(about("resume", &file), "92\n");
}

#[cfg(unix)]
#[test]
fn a_second_count_without_a_file_ends_at_the_first_signal() {
    let folder = Folder::new("second");
    let file = folder.file("s.nq");
    prints(counting("17 -a join", &file), "95815104\n");
    // The file is complete, so this is in the second count, which would take minutes.
    let options = "17 -t 1 -a join --double-check --kernel portable";
    let child = counting(options, &file).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    ends_by_signal(child, "TERM", 143);
}
