//! Reads lines of tasks and results, however a system ends them.

use std::io::{self, BufRead, Read};

use super::LineError;

/// Longer lines are neither tasks nor results; that of a result stays below half of it.
pub const MAX_LINE: u64 = 1 << 20;

/// The lines of an input that are not empty, each with its number from 1.
///
/// Spaces around a line, either end of line, a byte-order mark and a missing end of the last line are
/// left out. A line that is no text is an error of its own; one that is too long is the last, and so
/// is an error of the input.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    number: u64,
    bytes: Vec<u8>,
    is_over: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`.
    pub fn new(input: R) -> Self {
        Self { input, number: 0, bytes: Vec::new(), is_over: false }
    }

    /// Reads a line into `bytes`; false if there is none.
    fn read(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        self.number += 1;
        Ok(self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.bytes)? > 0)
    }

    /// The line in `bytes`.
    fn line(&mut self) -> Result<&str, LineError> {
        let foreign = |reason| LineError::Foreign { reason };
        if self.bytes.len() as u64 == MAX_LINE {
            self.is_over = true;
            return Err(foreign(format!("it is longer than {MAX_LINE} bytes")));
        }
        if let (1, Some(what)) = (self.number, encoding(&self.bytes)) {
            self.is_over = true;
            return Err(LineError::Encoding { what });
        }
        let text = str::from_utf8(&self.bytes).map_err(|error| foreign(error.to_string()))?;
        let mark = if self.number == 1 { "\u{feff}" } else { "" };
        Ok(text.strip_prefix(mark).unwrap_or(text).trim())
    }
}

/// What a file that begins like this is written in, if that is known to be something else than UTF-8.
fn encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Some("it is UTF-16, as some shells on Windows write it, and is to be converted first")
        }
        [0x1f, 0x8b, ..] => Some("it is compressed by gzip, and zcat prints what is in it"),
        _ => None,
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<(u64, Result<String, LineError>)>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.read() {
                Ok(true) => {}
                Ok(false) => self.is_over = true,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
            let line = self.line().map(String::from);
            if line.as_ref().map_or(true, |line| !line.is_empty()) {
                return Some(Ok((self.number, line)));
            }
        }
        None
    }
}
