//! Boards themselves: one, all of them, their symmetries, and how they are written and checked.
//!
//! ```text
//! construct   one board of any size, by formula           ┐
//! first       the lexicographically first, by search      │
//! complete    one that holds given queens                 ├─► Board ─► format, symmetry
//! list        all of a problem, streamed in order         │
//! read        from text, judged by `check`                ┘
//! half_turn, quarter_turn, classes                        counts up to symmetry
//! ```

mod check;
mod board;
mod construct;
mod symmetry;
mod search;
mod first;
mod list;
mod complete;
mod svg;
mod format;
mod read;
mod half_turn;
mod quarter_turn;
mod classes;

pub use board::Board;
pub use check::{Flaw, check};
pub use classes::Classes;
pub use complete::{Complete, MAX_COMPLETED};
pub use construct::{MAX_CONSTRUCTED, construct};
pub use first::First;
pub use format::Format;
pub use half_turn::half_turn_count;
pub use list::{Boards, List};
pub use quarter_turn::quarter_turn_count;
pub use read::{BoardReader, Record};
pub use symmetry::Symmetry;
