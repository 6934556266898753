//! Boards from text, one after the other, in any of the text formats.
//!
//! The format is recognised line by line:
//!
//! ```text
//! {"board":4,"columns":[2,4,1,3]}        begins with a brace                    json
//! (1, 2) (2, 4) (3, 1) (4, 3)        begins with a parenthesis              coords
//! . Q . .                            only dots and queens: so many lines    board
//! 2413                               one word of digits, and n <= 9         digits
//! 2 4 1 3                            anything else: numbers                 columns
//! ```
//!
//! Spaces, commas and brackets may stand between numbers, so lists as other programs print them are
//! read too (`[2, 4, 1, 3]`). What follows a `#` is a comment. Line ends may be those of any system,
//! and empty lines separate pictures. Memory: one board, and its text.

use std::io::{self, BufRead};

use super::board::Board;
use super::check::{Flaw, check_queens};

/// Reads boards of one size. An iterator: each item is one board of the text, solution or not.
///
/// # Examples
/// ```
/// use nqueens::BoardReader;
///
/// let text = "2 4 1 3\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n2431\n";
/// let records: Result<Vec<_>, _> = BoardReader::new(4, text.as_bytes()).collect();
/// let records = records?;
/// assert_eq!(records.len(), 3);
/// assert_eq!(records[0].board, records[1].board);
/// assert_eq!(records[2].line, 6);
/// let flaw = records[2].board.as_ref().unwrap_err();
/// assert_eq!(flaw.to_string(), "same diagonal: rows 2 and 3");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct BoardReader<R> {
    n: u32,
    input: R,
    /// Number of the line in hand, from 1.
    line: u64,
    /// A line that was read, but belongs to the next board.
    ahead: Option<String>,
}

/// A board that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Its first line, from 1.
    pub line: u64,
    /// The board, or why it is none.
    pub board: Result<Board, Flaw>,
}

/// Row and column of queens, from 1.
type Queens = Vec<(u64, u64)>;

impl<R: BufRead> BoardReader<R> {
    /// A reader of boards of `n` rows.
    pub fn new(n: u32, input: R) -> Self {
        Self { n, input, line: 0, ahead: None }
    }

    /// The next line without comment and spaces at its ends, or `None` after the last.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.split('#').next().unwrap_or_default();
        Ok(Some(text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').to_owned()))
    }

    /// The rest of a picture that begins with `first`.
    fn picture(&mut self, first: &str) -> io::Result<Result<Queens, Flaw>> {
        let mut queens = picture_row(self.n, 1, first);
        for row in 2..=u64::from(self.n) {
            let Some(line) = self.next_line()? else { break };
            if !is_picture(&line) {
                self.ahead = Some(line);
                break;
            }
            // After an error the rest of the picture is still read, and passed over.
            if let Ok(queens_above) = &mut queens {
                match picture_row(self.n, row, &line) {
                    Ok(more) => queens_above.extend(more),
                    Err(flaw) => queens = Err(flaw),
                }
            }
        }
        Ok(queens)
    }

    fn read(&mut self) -> io::Result<Option<Record>> {
        let text = loop {
            match self.next_line()? {
                None => return Ok(None),
                Some(text) if text.is_empty() && self.n > 0 => {}
                Some(text) => break text,
            }
        };
        let line = self.line;
        let queens = if is_picture(&text) { self.picture(&text)? } else { parse(self.n, &text) };
        Ok(Some(Record { line, board: queens.and_then(|queens| board(self.n, &queens)) }))
    }
}

impl<R: BufRead> Iterator for BoardReader<R> {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// The board of `n` rows with `queens`.
fn board(n: u32, queens: &[(u64, u64)]) -> Result<Board, Flaw> {
    check_queens(n, queens.len(), |index| queens[index])?;
    let mut columns = vec![0; queens.len()];
    queens.iter().for_each(|&(row, column)| columns[row as usize - 1] = column as u32 - 1);
    Ok(Board::proven(columns.into()))
}

/// The queens of a line that is no picture.
fn parse(n: u32, text: &str) -> Result<Queens, Flaw> {
    if text.starts_with('{') {
        return parse_json(text);
    }
    if text.starts_with('(') {
        let numbers = numbers(text)?;
        let (pairs, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            return unreadable("a coordinate without its partner".to_owned());
        }
        return Ok(pairs.iter().map(|&[row, column]| (row, column)).collect());
    }
    let one_word = text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit());
    if one_word && n <= 9 {
        return Ok(in_rows(text.bytes().map(|byte| u64::from(byte - b'0'))));
    }
    Ok(in_rows(numbers(text)?))
}

/// Queens in the rows 1, 2, … and the given columns.
fn in_rows(columns: impl IntoIterator<Item = u64>) -> Queens {
    (1..).zip(columns).collect()
}

/// All numbers of `text`.
fn numbers(text: &str) -> Result<Vec<u64>, Flaw> {
    let is_between = |c: char| c.is_whitespace() || "()[],;".contains(c);
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let number = word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok());
            number.flatten().map_or_else(|| unreadable(not_a_number(word)), Ok)
        })
        .collect()
}

fn not_a_number(word: &str) -> String {
    let shown: String = word.chars().take(20).collect();
    let more = if shown.len() < word.len() { "…" } else { "" };
    format!("{:?} is not a row or column", shown + more)
}

fn parse_json(text: &str) -> Result<Queens, Flaw> {
    #[derive(serde::Deserialize)]
    struct Columns {
        columns: Vec<u64>,
    }
    match serde_json::from_str::<Columns>(text) {
        Ok(board) => Ok(in_rows(board.columns)),
        Err(error) => unreadable(format!("no JSON object with \"columns\": {error}")),
    }
}

/// Whether `line` is a row of a picture.
fn is_picture(line: &str) -> bool {
    !line.is_empty() && line.chars().all(|c| c.is_whitespace() || ".Qq".contains(c))
}

/// The queens of one row of a picture.
fn picture_row(n: u32, row: u64, line: &str) -> Result<Queens, Flaw> {
    let squares: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    if squares.len() != n as usize {
        let reason = format!("row {row} of the picture is {} squares wide, not {n}", squares.len());
        return unreadable(reason);
    }
    let queens = (1..).zip(squares).filter(|&(_, square)| square != '.');
    Ok(queens.map(|(column, _)| (row, column)).collect())
}

fn unreadable<T>(reason: String) -> Result<T, Flaw> {
    Err(Flaw::Unreadable { reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of each board of `text`.
    fn verdicts(n: u32, text: &[u8]) -> Vec<(u64, String)> {
        let records = BoardReader::new(n, text).map(Result::unwrap);
        let say = |board: Result<Board, Flaw>| match board {
            Ok(board) => board.to_string(),
            Err(flaw) => flaw.to_string(),
        };
        records.map(|record| (record.line, say(record.board))).collect()
    }

    #[test]
    fn every_format_and_line_end() {
        let board = "2 4 1 3";
        for text in [
            "2 4 1 3",
            "\u{feff}2 4 1 3\r\n",
            "2,4,1,3\n\n",
            "[2, 4, 1, 3]",
            "2413",
            "(1, 2) (2, 4) (3, 1) (4, 3)",
            "(4,3)(1,2)(2,4)(3,1)",
            "{\"board\":4,\"columns\":[2,4,1,3]}",
            "  2 4 1 3 # orbit of 2",
            ". Q . .\n. . . Q\nQ . . .\n. . Q .\n",
            ".Q..\r\n...Q\r\nQ...\r\n..Q.",
            ".q..\n...q\nq...\n..q.\n\n\n",
        ] {
            let found = verdicts(4, text.as_bytes());
            assert_eq!(found, [(1, board.to_owned())], "{text:?}");
        }
        assert_eq!(verdicts(4, b""), []);
        assert_eq!(verdicts(4, b"\n \r\n# nothing\n"), []);
        assert_eq!(verdicts(1, b"1\nQ\n"), [(1, "1".to_owned()), (2, "1".to_owned())]);
        assert_eq!(verdicts(0, b"\n"), [(1, String::new())]);
        assert_eq!(verdicts(10, b"13\n")[0].1, "wrong length: 1 queen instead of 10");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, reason) in [
            ("2 4 1", "wrong length: 3 queens instead of 4"),
            ("24131", "wrong length: 5 queens instead of 4"),
            ("0 4 1 3", "out of range: the queen of row 1 in column 0"),
            ("2453", "out of range: the queen of row 3 in column 5"),
            ("2 4 1 18446744073709551615", "out of range: the queen of row 4 in column 1844"),
            ("2 4 1 18446744073709551616", "not readable: \"18446744073709551616\" is not"),
            ("2 4 1 -3", "not readable: \"-3\" is not a row or column"),
            ("2 4 x 3", "not readable: \"x\" is not a row or column"),
            ("+2 4 1 3", "not readable: \"+2\" is not a row or column"),
            ("(1, 2) (2, 4) (3, 1) (4)", "not readable: a coordinate without its partner"),
            ("(1, 2) (2, 4) (2, 4) (4, 3)", "same row: row 2 holds two queens"),
            ("{\"board\":4}", "not readable: no JSON object with \"columns\""),
            ("1234", "same diagonal: rows 1 and 2"),
            (". . Q", "not readable: row 1 of the picture is 3 squares wide, not 4"),
            (". . Q .", "wrong length: 1 queen instead of 4"),
        ] {
            let found = verdicts(4, text.as_bytes());
            assert!(found.len() == 1 && found[0].1.starts_with(reason), "{text:?}: {found:?}");
        }
        assert!(verdicts(4, b"2 4 \xff 3")[0].1.starts_with("not readable"));
        let long = format!("1 2 {} 4", "9".repeat(400));
        assert!(verdicts(4, long.as_bytes())[0].1.len() < 80);
    }

    #[test]
    fn pictures_that_end_early_do_not_eat_what_follows() {
        let text = b".Q..\n...Q\n2 4 1 3\n.Q..\n\n2413\n.Q..\n..\n....\n....\n3142\n";
        let lines: Vec<u64> = verdicts(4, text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 3, 4, 6, 7, 11]);
    }
}
