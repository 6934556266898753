//! Boards one after the other in lexicographic order: a backtracker that can pause.
//!
//! The masks are those of [`Attacks`](crate::attacks), but of 64 bits, so that boards above 32 can
//! be searched as well. Each row on the way down keeps its attacks and the free squares not yet
//! tried, lowest column first, so the order is lexicographic without sorting:
//!
//! ```text
//!   level 0   Q . . .      free . 1 1 1     still to be tried
//!   level 1   . . Q .      free . . . 1
//!   level 2   x x x x      free . . . .     back to level 1
//! ```
//!
//! A search may end at any row, not only at the last: then its "boards" are the prefixes of that
//! many rows, and [`below`](Search::below) continues each. Time: as backtracking. Memory: 2 KiB.

/// The largest board that can be searched: one row of it fills a `u64`.
pub(super) const MAX_SEARCHED: u32 = 64;

const ROOM: usize = MAX_SEARCHED as usize;

/// The squares of the next row that are attacked, and those that are still to be tried.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    columns: u64,
    left_diagonals: u64,
    right_diagonals: u64,
    free: u64,
}

impl Level {
    /// The level of the next row, whose mask is `row`, with `queen` (one bit) placed in this one.
    #[inline(always)]
    fn below(self, queen: u64, row: u64) -> Self {
        let columns = self.columns | queen;
        let left_diagonals = (self.left_diagonals | queen) << 1;
        let right_diagonals = (self.right_diagonals | queen) >> 1;
        let free = row & !(columns | left_diagonals | right_diagonals);
        Self { columns, left_diagonals, right_diagonals, free }
    }
}

/// A search for all ways to fill the rows `start..end`.
#[derive(Debug, Clone)]
pub(super) struct Search {
    /// The squares of each row that may hold a queen.
    rows: [u64; ROOM],
    levels: [Level; ROOM],
    columns: [u8; ROOM],
    start: usize,
    end: usize,
    /// The row to go on with.
    row: usize,
    /// Whether the one placement of no rows was returned.
    started: bool,
    /// Queens placed so far.
    nodes: u64,
}

/// Why a search returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// All rows are filled.
    Found,
    /// As many queens were placed as were allowed.
    Paused,
    /// There is nothing more to find.
    Done,
}

impl Search {
    /// A search for placements of the first `end` of `rows` (at most 64).
    pub(super) fn new(rows: &[u64], end: usize) -> Self {
        let mut search = Self {
            rows: [0; ROOM],
            levels: [Level::default(); ROOM],
            columns: [0; ROOM],
            start: 0,
            end: end.min(rows.len()),
            row: 0,
            started: false,
            nodes: 0,
        };
        search.rows[..rows.len()].copy_from_slice(rows);
        search.levels[0].free = search.rows[0];
        search
    }

    /// A search for the completions, down to row `end`, of the placement just found.
    pub(super) fn below(&self, end: usize) -> Self {
        let start = self.end;
        let mut search = Self { start, end, row: start, nodes: 0, started: false, ..*self };
        if self.start < start && start < end {
            let queen = 1 << self.columns[start - 1];
            search.levels[start] = self.levels[start - 1].below(queen, self.rows[start]);
        }
        search
    }

    /// Goes on until a placement is found, or `limit` queens more are placed.
    pub(super) fn advance(&mut self, limit: u64) -> Step {
        if self.start == self.end {
            // No row to fill: one placement, of no queens.
            let done = std::mem::replace(&mut self.started, true);
            return if done { Step::Done } else { Step::Found };
        }
        let pause = self.nodes.saturating_add(limit);
        // The level in hand stays out of the array, and a level without free squares never enters it:
        // storing and loading each takes 1.6 times as long (N = 14, AMD Zen 3).
        let (mut row, mut nodes) = (self.row, self.nodes);
        let mut level = self.levels[row];
        let step = loop {
            if level.free == 0 {
                if row == self.start {
                    break Step::Done;
                }
                row -= 1;
                level = self.levels[row];
                continue;
            }
            if nodes == pause {
                break Step::Paused;
            }
            nodes += 1;
            let queen = level.free & level.free.wrapping_neg();
            level.free ^= queen;
            let next = row + 1;
            if next == self.end {
                self.levels[row] = level;
                self.note_columns(queen);
                break Step::Found;
            }
            let below = level.below(queen, self.rows[next % ROOM]);
            if below.free != 0 {
                self.levels[row] = level;
                (row, level) = (next, below);
            }
        };
        self.levels[row] = level;
        (self.row, self.nodes) = (row, nodes);
        step
    }

    /// Notes the columns of a placement whose last queen is `queen`.
    fn note_columns(&mut self, queen: u64) {
        let last = self.end - 1;
        let mut columns = self.levels[last].columns | queen;
        for row in (self.start..self.end).rev() {
            let above = self.levels[row].columns;
            self.columns[row] = (columns ^ above).trailing_zeros() as u8;
            columns = above;
        }
    }

    /// The columns of the placement just found, those above the start included.
    pub(super) fn columns(&self) -> &[u8] {
        &self.columns[..self.end]
    }

    /// Queens placed so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// All squares of `n` rows, at most 64.
pub(super) fn all_squares(n: u32) -> Vec<u64> {
    vec![u64::MAX.checked_shr(MAX_SEARCHED - n).unwrap_or(0); n as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut search: Search, limit: u64) -> Vec<Vec<u8>> {
        let mut found = vec![];
        loop {
            match search.advance(limit) {
                Step::Found => found.push(search.columns().to_vec()),
                Step::Paused => {}
                Step::Done => return found,
            }
        }
    }

    #[test]
    fn pauses_change_nothing() {
        for n in 0..=8u32 {
            let search = Search::new(&all_squares(n), n as usize);
            let whole = all(search.clone(), u64::MAX);
            assert_eq!(whole.len(), [1, 1, 0, 0, 2, 10, 4, 40, 92][n as usize]);
            assert!(whole.is_sorted());
            for limit in [1, 2, 7, 100] {
                assert_eq!(all(search.clone(), limit), whole);
            }
        }
    }

    #[test]
    fn prefixes_and_what_is_below_them_are_the_whole() {
        for n in 0..=8u32 {
            let (rows, end) = (all_squares(n), n as usize);
            let whole = all(Search::new(&rows, end), u64::MAX);
            for depth in 0..=end {
                let mut prefixes = Search::new(&rows, depth);
                let mut found = vec![];
                while prefixes.advance(u64::MAX) == Step::Found {
                    found.extend(all(prefixes.below(end), u64::MAX));
                }
                assert_eq!(found, whole, "n = {n}, depth {depth}");
            }
        }
    }

    #[test]
    fn nodes_are_those_of_the_backtrack_tree() {
        let mut search = Search::new(&all_squares(8), 8);
        while search.advance(u64::MAX) != Step::Done {}
        assert_eq!(search.nodes(), 2056, "A319283 without the root");
    }

    #[test]
    fn masks_at_both_ends() {
        assert_eq!(all_squares(64), [u64::MAX; 64]);
        assert_eq!(all_squares(33), [(1 << 33) - 1; 33]);
        assert!(all_squares(0).is_empty());
        let mut widest = Search::new(&all_squares(64), 12);
        assert_eq!(widest.advance(1000), Step::Found);
    }
}
