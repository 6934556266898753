//! A board in colour, for terminals.
//!
//! Each square is three cells wide and one high, which is about square, on the dark and light
//! background of a chess board. The letters stay plain ASCII, so every terminal shows them.

use std::io::{self, Write};

use anstyle::{Ansi256Color, Style};
use nqueens::Board;

const LIGHT: Style = squares(222);
const DARK: Style = squares(137);

/// Black on the colour `background` of the 256.
const fn squares(background: u8) -> Style {
    Style::new()
        .bold()
        .fg_color(Some(anstyle::Color::Ansi256(Ansi256Color(16))))
        .bg_color(Some(anstyle::Color::Ansi256(Ansi256Color(background))))
}

/// Writes `board`, the lower left corner dark.
pub(crate) fn write(board: &Board, output: &mut impl Write) -> io::Result<()> {
    let n = board.n();
    for (row, &queen) in (0..).zip(board.columns()) {
        for column in 0..n {
            let style = if (row + column) % 2 == n % 2 { LIGHT } else { DARK };
            let piece = if column == queen { " Q " } else { "   " };
            write!(output, "{style}{piece}{style:#}")?;
        }
        writeln!(output)?;
    }
    Ok(())
}
