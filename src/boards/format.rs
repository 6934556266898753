//! How boards are written.
//!
//! ```text
//! columns   2 4 1 3                          column per row, from 1
//! coords    (1, 2) (2, 4) (3, 1) (4, 3)      row and column, from 1
//! digits    2413                             columns without spaces, up to n = 9; also a number
//! board     . Q . .                          a picture in plain ASCII, one line per row
//!           . . . Q
//!           Q . . .
//!           . . Q .
//! json      {"board":4,"columns":[2,4,1,3]}      one line
//! svg       a drawing, see `svg.rs`
//! ```
//!
//! Boards are written to the output piece by piece, so memory does not grow with them; give it a
//! buffer. Time: O(n), for pictures O(n²).

use std::fmt;
use std::io::{self, Write};

use super::board::Board;
use super::svg;
use crate::error::Error;

/// A way to write a board. Its name is the same in the library and on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// The column of each row, from 1: `2 4 1 3`.
    Columns,
    /// Row and column of each queen, from 1: `(1, 2) (2, 4) (3, 1) (4, 3)`.
    Coords,
    /// The columns as digits of one number, for boards up to 9: `2413`.
    Digits,
    /// A picture: a line per row, `Q` for a queen and `.` for an empty square.
    Board,
    /// A JSON object on one line: `{"board":4,"columns":[2,4,1,3]}`.
    Json,
    /// A drawing for browsers and papers.
    Svg,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Self] =
        &[Self::Columns, Self::Coords, Self::Digits, Self::Board, Self::Json, Self::Svg];

    /// Its name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Columns => "columns",
            Self::Coords => "coords",
            Self::Digits => "digits",
            Self::Board => "board",
            Self::Json => "json",
            Self::Svg => "svg",
        }
    }

    /// Whether boards of `n` rows can be written so.
    ///
    /// # Errors
    /// [`Error::AboveLimit`]: digits end at 9, pictures and drawings at 1000.
    pub fn allow(self, n: u32) -> Result<(), Error> {
        let (what, max) = match self {
            Self::Columns | Self::Coords | Self::Json => return Ok(()),
            Self::Digits => ("the format digits", 9),
            Self::Board => ("the format board", 1000),
            Self::Svg => ("the format svg", 1000),
        };
        if n <= max { Ok(()) } else { Err(Error::AboveLimit { what, n, max }) }
    }

    /// Writes `board`, and a line end.
    ///
    /// # Errors
    /// Those of `out`. A board for which [`allow`](Self::allow) fails is
    /// [`io::ErrorKind::InvalidInput`].
    ///
    /// # Examples
    /// ```
    /// use nqueens::{Board, Format};
    ///
    /// let board = Board::from_columns([1, 3, 0, 2]).unwrap();
    /// let mut text = Vec::new();
    /// Format::Board.write(&board, &mut text)?;
    /// assert_eq!(text, b". Q . .\n. . . Q\nQ . . .\n. . Q .\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(self, board: &Board, out: &mut impl Write) -> io::Result<()> {
        self.allow(board.n())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        match self {
            Self::Columns => write_joined(board, " ", out)?,
            Self::Coords => write_coords(board, out)?,
            Self::Digits => write_joined(board, "", out)?,
            Self::Board => return write_picture(board, out),
            Self::Json => {
                write!(out, "{{\"board\":{},\"columns\":[", board.n())?;
                write_joined(board, ",", out)?;
                out.write_all(b"]}")?;
            }
            Self::Svg => return svg::write(board, out),
        }
        out.write_all(b"\n")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The columns from 1, with `separator` between them.
fn write_joined(board: &Board, separator: &str, out: &mut impl Write) -> io::Result<()> {
    for (row, &column) in board.columns().iter().enumerate() {
        if row > 0 {
            out.write_all(separator.as_bytes())?;
        }
        write_number(column + 1, out)?;
    }
    Ok(())
}

fn write_coords(board: &Board, out: &mut impl Write) -> io::Result<()> {
    for (row, &column) in (1..).zip(board.columns()) {
        out.write_all(if row == 1 { b"(" } else { b" (" })?;
        write_number(row, out)?;
        out.write_all(b", ")?;
        write_number(column + 1, out)?;
        out.write_all(b")")?;
    }
    Ok(())
}

/// Listings are mostly numbers of one or two digits, and `write!` takes four times as long for them.
fn write_number(number: u32, out: &mut impl Write) -> io::Result<()> {
    let digit = |number: u32| b'0' + (number % 10) as u8;
    match number {
        0..10 => out.write_all(&[digit(number)]),
        10..100 => out.write_all(&[digit(number / 10), digit(number)]),
        _ => write!(out, "{number}"),
    }
}

fn write_picture(board: &Board, out: &mut impl Write) -> io::Result<()> {
    let n = board.n() as usize;
    let mut line = ". ".repeat(n).into_bytes();
    if let Some(end) = line.last_mut() {
        *end = b'\n';
    }
    for &column in board.columns() {
        line[2 * column as usize] = b'Q';
        out.write_all(&line)?;
        line[2 * column as usize] = b'.';
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: Format, columns: &[u32]) -> String {
        let mut out = Vec::new();
        format.write(&Board::from_columns(columns).unwrap(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_drawn_formats() {
        let all: Vec<String> =
            Format::ALL.iter().map(|format| written(*format, &[1, 3, 0, 2])).collect();
        assert_eq!(all[0], "2 4 1 3\n");
        assert_eq!(all[1], "(1, 2) (2, 4) (3, 1) (4, 3)\n");
        assert_eq!(all[2], "2413\n");
        assert_eq!(all[3], ". Q . .\n. . . Q\nQ . . .\n. . Q .\n");
        assert_eq!(all[4], "{\"board\":4,\"columns\":[2,4,1,3]}\n");
        assert!(all[5].starts_with("<svg") && all[5].ends_with("</svg>\n"));
    }

    #[test]
    fn tiny_and_large_boards() {
        let empty: Vec<String> = Format::ALL.iter().map(|format| written(*format, &[])).collect();
        assert_eq!(empty[..5], ["\n", "\n", "\n", "", "{\"board\":0,\"columns\":[]}\n"]);
        assert_eq!(written(Format::Board, &[0]), "Q\n");
        let board = crate::construct(1001).unwrap().unwrap();
        for format in [Format::Digits, Format::Board, Format::Svg] {
            let error = format.write(&board, &mut Vec::new()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
        let text = written(Format::Columns, board.columns());
        assert_eq!(text.trim_end(), board.to_string());
    }
}
