//! Boards on standard output, and in colour where people look at them.

use std::io::{self, BufWriter, Write};

use nqueens::{Board, Format};

use super::picture;

/// Boards are written in pieces of this size.
const BUFFER_BYTES: usize = 1 << 16;

/// Collects what is written to `output` in pieces that suit boards.
pub(crate) fn buffered<W: Write>(output: W) -> BufWriter<W> {
    BufWriter::with_capacity(BUFFER_BYTES, output)
}

/// Writes `board`, with `comment` at the end of its line, or in a line of its own.
pub(crate) fn write(
    board: &Board,
    format: Format,
    colored: bool,
    comment: &str,
    output: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Board if colored => picture::write(board, output)?,
        Format::Columns | Format::Coords | Format::Digits if !comment.is_empty() => {
            let mut line = Vec::new();
            format.write(board, &mut line)?;
            output.write_all(line.trim_ascii_end())?;
            return writeln!(output, " {comment}");
        }
        _ => format.write(board, output)?,
    }
    if format == Format::Board && !comment.is_empty() {
        writeln!(output, "{comment}")?;
    }
    Ok(())
}
