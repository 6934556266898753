//! Backtracking on toroidal boards; `split/toroidal.rs` draws one, and shows why the symmetries used
//! are exact.
//!
//! Counts OEIS A051906 (A007705 for odd boards). Nodes are those of the search row by row on the
//! toroidal board. Time: 0.1 s for `n` = 17, 1.6 s for 19 (one thread, AMD Zen 3). Memory: a few hundred
//! bytes.

use crate::attacks::bits;
use crate::counter::{Counter, Worker};
use crate::split::prefix::Prefix;
use crate::split::toroidal::{Openings, Torus};
use crate::tally::Tally;

/// Counts toroidal boards.
#[derive(Debug)]
pub(crate) struct Toroidal {
    openings: Openings,
}

impl Toroidal {
    pub(crate) fn new(openings: Openings) -> Self {
        Self { openings }
    }
}

/// Adds to `tally` what lies at and below `prefix`.
fn search(torus: Torus, prefix: Prefix, tally: &mut Tally) {
    tally.work += 1;
    if prefix.row == torus.n() {
        tally.solutions += 1;
        return;
    }
    bits(torus.free(prefix)).for_each(|queen| search(torus, torus.place(prefix, queen), tally));
}

impl Counter for Toroidal {
    fn worker(&self) -> Worker<'_> {
        Box::new(|unit| {
            let mut tally = Tally::default();
            search(self.openings.torus(), self.openings.get(unit), &mut tally);
            tally.times(self.openings.weight())
        })
    }
}
