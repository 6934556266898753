//! A board as a drawing: scalable, in one file, without fonts but for the coordinates.
//!
//! The squares are 40 units wide; dark ones are a single path over a light board. The queen is
//! drawn once, as a path, and used `n` times. Rows and columns are numbered from 1, every one up
//! to `n` = 20, and further on those that are multiples of 5, 10, 50 or 100.
//! Size: about 9 bytes per dark square and 45 per queen.

use std::io::{self, Write};

use super::board::Board;

const SQUARE: u32 = 40;
/// Room for the coordinates, left and below.
const MARGIN: u32 = 26;
/// The frame round the squares.
const FRAME: u32 = 2;

/// A crown of five points with balls, and its base, in a square of 40.
const QUEEN: &str = concat!(
    "M6.5 13.5 11.5 27H28.5L33.5 13.5 26.4 20.5 26 9.5 20 19 14 9.5 13.6 20.5Z",
    "M11.5 29H28.5V33.5H11.5Z",
    "M6 10.8a2.2 2.2 0 1 0 .01 0Z",
    "M13.6 6.2a2.2 2.2 0 1 0 .01 0Z",
    "M26.4 6.2a2.2 2.2 0 1 0 .01 0Z",
    "M34 10.8a2.2 2.2 0 1 0 .01 0Z",
);

/// Writes the drawing of `board`.
pub(super) fn write(board: &Board, out: &mut impl Write) -> io::Result<()> {
    let n = board.n();
    let side = n * SQUARE;
    let size = side + MARGIN + 2 * FRAME;
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="-{} -{FRAME} {size} {size}" role="img">"#,
        MARGIN + FRAME,
    )?;
    writeln!(out, "<title>{n} queens: {}</title>", board)?;
    writeln!(
        out,
        r##"<defs><path id="q" fill="#1d1a16" stroke="#f7f1e3" stroke-width="1.4" stroke-linejoin="round" paint-order="stroke" d="{QUEEN}"/></defs>"##,
    )?;
    let (corner, outer) = (-(FRAME as i32), side + 2 * FRAME);
    writeln!(
        out,
        r##"<rect x="{corner}" y="{corner}" width="{outer}" height="{outer}" fill="#5b4636"/>"##
    )?;
    writeln!(out, r##"<rect width="{side}" height="{side}" fill="#f0e2c8"/>"##)?;
    write_dark_squares(n, out)?;
    write_numbers(n, side, out)?;
    for (row, &column) in (0..).zip(board.columns()) {
        writeln!(out, r##"<use href="#q" x="{}" y="{}"/>"##, column * SQUARE, row * SQUARE)?;
    }
    writeln!(out, "</svg>")
}

/// The dark squares; the lower left corner is dark, as on a chess board.
fn write_dark_squares(n: u32, out: &mut impl Write) -> io::Result<()> {
    write!(out, r##"<path fill="#b58a63" shape-rendering="crispEdges" d=""##)?;
    for row in 0..n {
        for column in (0..n).filter(|column| (row + column) % 2 != n % 2) {
            write!(out, "M{} {}h40v40h-40z", column * SQUARE, row * SQUARE)?;
        }
    }
    writeln!(out, r#""/>"#)
}

/// The numbers of the rows, left, and of the columns, below.
fn write_numbers(n: u32, side: u32, out: &mut impl Write) -> io::Result<()> {
    let step = match n {
        0..=20 => 1,
        21..=50 => 5,
        51..=100 => 10,
        101..=500 => 50,
        _ => 100,
    };
    writeln!(
        out,
        r##"<g font-family="sans-serif" font-size="13" fill="#5b4636" text-anchor="middle">"##
    )?;
    for number in (1..=n).filter(|number| number % step == 0) {
        let middle = number * SQUARE - SQUARE / 2;
        let (left, low, below) = (MARGIN / 2 + FRAME, middle + 5, side + FRAME + 18);
        writeln!(out, r#"<text x="-{left}" y="{low}">{number}</text>"#)?;
        writeln!(out, r#"<text x="{middle}" y="{below}">{number}</text>"#)?;
    }
    writeln!(out, "</g>")
}
