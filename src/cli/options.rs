//! Argument types that several commands share, and the parsers of their values.

use bytesize::ByteSize;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nqueens::{
    Algorithm, Error, Format as BoardFormat, Kernel, MAX_CONSTRUCTED, MAX_N, MAX_THREADS, Problem,
};

/// What an option names, or `None` for `auto`. It has a name of its own, since clap takes a field
/// declared as `Option` for an option that may be left out.
pub(crate) type OrAuto<T> = Option<T>;

/// When to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// An output format of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Numbers
    Text,
    /// One JSON object per board and line; counts are strings
    Json,
    /// A header line and one line per board
    Csv,
}

/// Numbers of threads: at least one. Only a benchmark takes more than one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Threads(Vec<usize>);

impl Threads {
    pub(crate) fn one(threads: usize) -> Self {
        Self(vec![threads])
    }

    /// All of them, in the order given.
    pub(crate) fn all(&self) -> &[usize] {
        &self.0
    }

    /// Whether there is more than one.
    pub(crate) fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    pub(crate) fn first(&self) -> usize {
        self.0[0]
    }
}

/// One argument that names board sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sizes {
    One(u32),
    Many(Vec<u32>),
    Stdin,
}

/// Queens that boards must hold.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PlaceArgs {
    /// Only boards with a queen at this row and column, both from 1; may be repeated
    #[arg(long, value_name = "ROW,COLUMN", allow_hyphen_values = true, value_parser = parse_square)]
    place: Vec<(u32, u32)>,
}

impl PlaceArgs {
    pub(crate) fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// The queens, as row and column from 0.
    pub(crate) fn queens(&self) -> &[(u32, u32)] {
        &self.place
    }

    /// The boards of `n` rows that hold the queens.
    pub(crate) fn problem(&self, n: u32) -> Result<Problem, Error> {
        let empty = Problem::new(n)?;
        let place = |problem: Problem, &(row, column)| problem.with_queen(row, column);
        self.place.iter().try_fold(empty, place)
    }
}

/// How boards are written.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct BoardFormatArgs {
    /// How to write a board; `digits` for N up to 9, `board` and `svg` up to 1000
    #[arg(long, value_name = "FORMAT", default_value = "columns", value_parser = board_format_parser())]
    pub(crate) format: BoardFormat,
}

/// How this machine counts. It changes no result.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MachineArgs {
    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kernel_parser())]
    pub(crate) kernel: OrAuto<Kernel>,

    /// The most memory that the lists of the join may take [default: half of what is available]
    #[arg(long = "memory", value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory_bytes: Option<u64>,
}

/// Accepts `auto` and the algorithms; that of toroidal boards only where there can be such.
pub(crate) fn algorithm_parser(toroidal: bool) -> impl TypedValueParser<Value = OrAuto<Algorithm>> {
    let names = Algorithm::ALL.iter().filter(|&&name| toroidal || name != Algorithm::Toroidal);
    name_parser(names.map(|algorithm| algorithm.name())).map(|name| Algorithm::from_name(&name))
}

pub(crate) fn kernel_parser() -> impl TypedValueParser<Value = OrAuto<Kernel>> {
    name_parser(Kernel::ALL.iter().map(|kernel| kernel.name())).map(|name| Kernel::from_name(&name))
}

/// Accepts `auto` and `names`.
fn name_parser(names: impl Iterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(["auto"].into_iter().chain(names))
}

fn board_format_parser() -> impl TypedValueParser<Value = BoardFormat> {
    let all = || BoardFormat::ALL.iter().copied();
    let of_name = move |name: String| all().find(|format| format.name() == name);
    PossibleValuesParser::new(all().map(BoardFormat::name))
        .map(move |name| of_name(name).expect("clap lets only these names pass"))
}

/// Parses an amount of memory, such as 4GiB or 500MB, into bytes.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    text.parse().map(|bytes: ByteSize| bytes.as_u64())
}

/// Parses the size of a board whose solutions are counted or listed.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_size(text: &str) -> Result<u32, String> {
    parse_size_up_to(MAX_N, text)
}

/// Parses the size of a board that is constructed or checked.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_any_size(text: &str) -> Result<u32, String> {
    parse_size_up_to(MAX_CONSTRUCTED, text)
}

fn parse_size_up_to(max: u32, text: &str) -> Result<u32, String> {
    let size = parse_whole(text, max.into(), "a board size")?;
    Ok(size.try_into().expect("the maximum fits"))
}

/// Parses a whole number from 0 to `max`; `what` is its name in the message.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_whole(text: &str, max: u64, what: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| is_digits(text) && number <= max);
    number.ok_or_else(|| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = !text.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let wrong = if is_number { "out of range" } else { "not a number" };
        format!("{wrong}: {what} is a whole number from 0 to {max}")
    })
}

/// Whether `text` is a whole number without a sign.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses one word of the board sizes to be counted.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_sizes(text: &str) -> Result<Sizes, String> {
    if text == "-" {
        return Ok(Sizes::Stdin);
    }
    if let Some((start, end)) = text.split_once("..") {
        return parse_range(start, end);
    }
    if text.contains(',') {
        return Ok(Sizes::Many(text.split(',').map(parse_part).collect::<Result<_, _>>()?));
    }
    Ok(Sizes::One(parse_size(text)?))
}

fn parse_range(start: &str, end: &str) -> Result<Sizes, String> {
    let (end, inclusive) = match end.strip_prefix('=') {
        Some(end) => (end, true),
        None => (end, false),
    };
    let (start, end) = (parse_part(start)?, parse_part(end)?);
    let end = if inclusive { end + 1 } else { end };
    if start >= end {
        return Err("the range is empty: write FIRST..=LAST, smaller size first".into());
    }
    Ok(Sizes::Many((start..end).collect()))
}

/// Parses a board size in a range or list; the message says which part is wrong.
fn parse_part(part: &str) -> Result<u32, String> {
    parse_size(part).map_err(|error| format!("{part:?} is {error}"))
}

/// Parses a number of threads.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|n| is_digits(text) && (1..=MAX_THREADS).contains(n));
    threads.ok_or_else(|| format!("a number of threads is a whole number from 1 to {MAX_THREADS}"))
}

/// Parses numbers of threads, separated by commas. The same number twice counts once.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_thread_list(text: &str) -> Result<Threads, String> {
    let mut list = Vec::new();
    for part in text.split(',') {
        let threads = if part == "all" { nqueens::default_threads() } else { parse_threads(part)? };
        if !list.contains(&threads) {
            list.push(threads);
        }
    }
    Ok(Threads(list))
}

/// Parses row and column from 1, into row and column from 0.
fn parse_square(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| parse_any_size(text).ok()?.checked_sub(1);
    let square =
        text.split_once(',').and_then(|(row, column)| Some((number(row)?, number(column)?)));
    square.ok_or_else(|| "write ROW,COLUMN, both whole numbers from 1 on, as in 1,3".into())
}

const _: () = assert!(MAX_N <= MAX_CONSTRUCTED);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_refused_or_sizes(text in "[0-9 .,=x+-]{0,12}|\\PC{0,8}") {
            match parse_sizes(&text) {
                Ok(Sizes::One(n)) => prop_assert!(n <= MAX_N),
                Ok(Sizes::Many(sizes)) => prop_assert!(sizes.iter().all(|&n| n <= MAX_N)),
                Ok(Sizes::Stdin) | Err(_) => {}
            }
        }
    }

    #[test]
    fn sizes_ranges_and_lists() {
        assert_eq!(parse_sizes("18"), Ok(Sizes::One(18)));
        assert_eq!(parse_sizes("8..=10"), Ok(Sizes::Many(vec![8, 9, 10])));
        assert_eq!(parse_sizes("8..10"), Ok(Sizes::Many(vec![8, 9])));
        assert_eq!(parse_sizes("8..=8"), Ok(Sizes::Many(vec![8])));
        assert_eq!(parse_sizes("8,4,6"), Ok(Sizes::Many(vec![8, 4, 6])));
        assert_eq!(parse_sizes("-"), Ok(Sizes::Stdin));
        let wrong = [
            "",
            " 8",
            "8 ",
            "+8",
            "8.0",
            "8abc",
            "eight",
            "0x8",
            "33",
            "-1",
            "4294967297",
            "8..8",
            "10..4",
            "8..",
            "..8",
            "8,,9",
            "8,",
            "8..=33",
            "8...10",
            "٨",
        ];
        for text in wrong {
            assert!(parse_sizes(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn lists_of_threads() {
        assert_eq!(parse_thread_list("1,2,1"), Ok(Threads(vec![1, 2])));
        assert_eq!(parse_thread_list("all"), Ok(Threads::one(nqueens::default_threads())));
        for text in ["", "1,", "0", "1,two", "all,-1", "1;2"] {
            assert!(parse_thread_list(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_size_out_of_range_gets_the_same_message() {
        let nines = "9".repeat(400);
        for text in ["33", "300", "-1", "18446744073709551616", &nines] {
            let expected = "out of range: a board size is a whole number from 0 to 32";
            assert_eq!(parse_size(text).unwrap_err(), expected);
        }
    }

    #[test]
    fn squares() {
        assert_eq!(parse_square("1,3"), Ok((0, 2)));
        assert_eq!(parse_square("10000000,1"), Ok((9_999_999, 0)));
        for text in ["", "1", "1,", ",1", "0,1", "1,0", "1,2,3", "1;3", "1, 3", "-1,3", "a,b"] {
            assert!(parse_square(text).is_err(), "{text:?}");
        }
    }
}
