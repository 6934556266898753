//! The lines of a checkpoint file.
//!
//! Every line ends with a space and the CRC-32 of what stands before it, eight hexadecimal digits. The
//! check sums of later lines begin with that of the first one, so a line of another run is as wrong as
//! a damaged one. CRC-32 notices every error of up to 32 neighbouring bits, and of others all but one
//! in 4 thousand million.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::kernel::Kernel;
use crate::run::Run;
use crate::tally::Tally;

/// The first word of a checkpoint file.
const NAME: &str = "nqueens-checkpoint";

/// The format that this program reads and writes.
pub(super) const FORMAT: u32 = 1;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One start of the program, and what it counted with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Session {
    /// Threads that counted.
    pub threads: usize,
    /// Name of the kernel.
    pub kernel: String,
    /// Version of the program.
    pub version: String,
    /// When it began, in seconds since 1970, by the clock of that machine.
    pub started: u64,
    /// Its time until its last save.
    pub elapsed: Duration,
    /// Units that it counted.
    pub units: u64,
}

/// A counted unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnitRecord {
    /// Its index.
    pub unit: u64,
    /// What it found.
    pub tally: Tally,
    /// Time that it took.
    pub took: Duration,
}

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) run: Run,
    pub(super) version: String,
}

/// A line after the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Session(Session),
    Unit(UnitRecord),
    Time(Duration),
}

/// Why a first line cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HeaderFault {
    Foreign,
    Damaged,
    OtherFormat { found: u32, version: String },
}

/// Where the check sums of lines begin: at that of the first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Check(u32);

impl Check {
    fn of(self, text: &str) -> u32 {
        let mut hasher = crc32fast::Hasher::new_with_initial(self.0);
        hasher.update(text.as_bytes());
        hasher.finalize()
    }

    /// What stands before the check sum of `line`, if that is right.
    fn strip(self, line: &str) -> Option<&str> {
        let (text, sum) = line.split_at_checked(line.len().checked_sub(9)?)?;
        let sum = u32::from_str_radix(sum.strip_prefix(' ')?, 16).ok()?;
        (sum == self.of(text)).then_some(text)
    }

    /// Ends the line that begins at byte `start` of `text`.
    fn end_line(self, text: &mut String, start: usize) {
        let sum = self.of(&text[start..]);
        writeln!(text, " {sum:08x}").expect("a String takes all text");
    }
}

/// Whether a file that begins with `bytes` is a checkpoint file.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(NAME.as_bytes())
}

/// Whether a first line may begin with `bytes`.
pub(super) fn is_beginning(bytes: &[u8]) -> bool {
    bytes.starts_with(NAME.as_bytes()) || NAME.as_bytes().starts_with(bytes)
}

impl Header {
    pub(super) fn of_this_program(run: Run) -> Self {
        Self { run, version: VERSION.into() }
    }

    /// The line, and where the check sums of later lines begin.
    pub(super) fn encode(&self) -> (String, Check) {
        let run = self.run.to_words();
        let mut text = format!("{NAME} {FORMAT} {run} version {}", self.version);
        let check = Check(Check::default().of(&text));
        Check::default().end_line(&mut text, 0);
        (text, check)
    }

    /// Reads the first line, without its end.
    pub(super) fn decode(line: &str) -> Result<(Self, Check), HeaderFault> {
        let rest = line.strip_prefix(NAME).ok_or(HeaderFault::Foreign)?;
        let text = Check::default().strip(line).ok_or(HeaderFault::Damaged)?;
        let words: Vec<&str> = rest.split(' ').skip(1).collect();
        let version = words.iter().skip_while(|&&word| word != "version").nth(1);
        let version = version.copied().unwrap_or("?").to_string();
        let format = words.first().and_then(|format| format.parse().ok());
        let format: u32 = format.ok_or(HeaderFault::Damaged)?;
        if format != FORMAT {
            return Err(HeaderFault::OtherFormat { found: format, version });
        }
        // The check sum is right, so this is what a later version wrote: a new algorithm, say.
        let run = Run::from_words(&words)
            .ok_or(HeaderFault::OtherFormat { found: format, version: version.clone() });
        Ok((Self { run: run?, version }, Check(Check::default().of(text))))
    }
}

impl Session {
    /// This program, starting now.
    pub(crate) fn starting(threads: usize, kernel: Kernel) -> Self {
        let (kernel, version) = (kernel.name().into(), VERSION.into());
        Self { threads, kernel, version, ..Self::default() }.starting_now()
    }

    /// Its threads, to divide a time by: a file may claim any number.
    pub(crate) fn threads_as_divisor(&self) -> u32 {
        u32::try_from(self.threads).unwrap_or(u32::MAX).max(1)
    }

    /// The same, but starting now.
    pub(crate) fn starting_now(self) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { started: now.as_secs(), ..self }
    }
}

impl Line {
    /// Adds this line to `text`.
    pub(super) fn encode(&self, check: Check, text: &mut String) {
        let start = text.len();
        let micros = |time: &Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        match self {
            Self::Session(Session { threads, kernel, version, started, .. }) => write!(
                text,
                "session threads {threads} kernel {kernel} version {version} started {started}"
            ),
            Self::Unit(UnitRecord { unit, tally: Tally { solutions, work }, took }) => {
                write!(text, "{unit} {solutions} {work} {}", micros(took))
            }
            Self::Time(elapsed) => write!(text, "time {}", micros(elapsed)),
        }
        .expect("a String takes all text");
        check.end_line(text, start);
    }

    /// Reads a line, without its end; `None` if it is damaged.
    pub(super) fn decode(check: Check, line: &str) -> Option<Self> {
        let text = check.strip(line)?;
        let words: Vec<&str> = text.split(' ').collect();
        let micros = |text: &str| text.parse().ok().map(Duration::from_micros);
        match words[..] {
            [
                "session",
                "threads",
                threads,
                "kernel",
                kernel,
                "version",
                version,
                "started",
                started,
            ] => Some(Self::Session(Session {
                threads: threads.parse().ok()?,
                kernel: kernel.into(),
                version: version.into(),
                started: started.parse().ok()?,
                ..Session::default()
            })),
            ["time", elapsed] => Some(Self::Time(micros(elapsed)?)),
            [unit, solutions, work, took] => Some(Self::Unit(UnitRecord {
                unit: unit.parse().ok()?,
                tally: Tally { solutions: solutions.parse().ok()?, work: work.parse().ok()? },
                took: micros(took)?,
            })),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Algorithm;

    fn header() -> Header {
        Header::of_this_program(Run {
            n: 12,
            toroidal: false,
            queens: vec![(0, 2), (7, 5)],
            algorithm: Algorithm::Bitboard,
            depth: 3,
            rules: 1,
            units: 4711,
        })
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let (text, check) = header().encode();
        let line = text.strip_suffix('\n').unwrap();
        assert_eq!(Header::decode(line), Ok((header(), check)));
        let lines = [
            Line::Session(Session::starting(3, Kernel::Portable)),
            Line::Time(Duration::from_micros(u64::MAX)),
            Line::Unit(UnitRecord {
                unit: u64::MAX,
                tally: Tally { solutions: u64::MAX, work: u64::MAX },
                took: Duration::ZERO,
            }),
        ];
        for line in lines {
            let mut text = String::new();
            line.encode(check, &mut text);
            let text = text.strip_suffix('\n').unwrap();
            assert_eq!(Line::decode(check, text), Some(line));
            assert_eq!(Line::decode(Check::default(), text), None, "a line of another run");
        }
    }

    #[test]
    fn first_lines_of_other_versions_are_told_from_damaged_ones() {
        let signed = |text: &str| {
            let mut line = text.to_string();
            Check::default().end_line(&mut line, 0);
            line.trim_end().to_string()
        };
        let (text, _) = header().encode();
        let unsigned = text.trim_end().rsplit_once(' ').unwrap().0;
        let format = unsigned.replacen(" 1 ", " 2 ", 1);
        let other = |found| HeaderFault::OtherFormat { found, version: VERSION.into() };
        assert_eq!(Header::decode(&signed(&format)), Err(other(2)));
        assert_eq!(Header::decode(&signed(&unsigned.replace("bitboard", "magic"))), Err(other(1)));
        assert_eq!(Header::decode(&format!("{unsigned} 00000000")), Err(HeaderFault::Damaged));
        assert_eq!(Header::decode(NAME), Err(HeaderFault::Damaged));
        assert_eq!(Header::decode("# my notes"), Err(HeaderFault::Foreign));
        assert_eq!(Header::decode(""), Err(HeaderFault::Foreign));
    }
}
