//! How much memory a worker needs, and into how many parts a pair is split so that it has enough.
//!
//! Most memory goes to the half boards of one pair of column sets and to the copies of them that
//! matching makes. If it is short, some diagonals are *decided*: for each set of them, the tops that
//! have just these are joined with the bottoms that have none of these, for each set of the other
//! decided diagonals. Each list gets shorter by about a third per diagonal, but the bottoms are made
//! again for each set (1.6 times the work per diagonal), so this is slower: use it to fit, not for
//! speed. (Splitting before making lists was tried for speed, too: one diagonal n = 20 +6 %, n = 24
//! +3 %; two +27 %, +29 %.)
//!
//! The estimate below decides only how many diagonals to begin with: a pair whose lists grow longer
//! than planned is split further.

/// The largest numbers of keys seen: half boards of one pair of column sets (tops and bottoms), and
/// one quarter list. Complete up to n = 18, samples up to n = 24 (with a tenth added), beyond that
/// by the growth of the last sizes.
const LARGEST: [(u64, u64); 17] = [
    (3_730, 1_300), // n <= 16
    (8_170, 3_100),
    (21_300, 5_500), // 18
    (47_700, 11_100),
    (132_000, 26_700), // 20
    (302_000, 58_100),
    (920_000, 134_000), // 22
    (2_100_000, 365_000),
    (5_900_000, 720_000), // 24
    (13_300_000, 2_000_000),
    (37_000_000, 3_500_000), // 26
    (90_000_000, 11_000_000),
    (260_000_000, 18_000_000), // 28
    (630_000_000, 60_000_000),
    (1_850_000_000, 95_000_000), // 30
    (4_500_000_000, 330_000_000),
    (13_500_000_000, 480_000_000), // 32
];

/// Bytes per key of a pair's half boards: 8 in their list and 48 for matching.
const BYTES_PER_KEY: u64 = 56;

/// The most diagonals that are decided.
pub(super) const MAX_DECIDED: u32 = 12;

/// How a worker of one board size uses its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    /// Number of diagonals that are decided before lists are made.
    pub(super) decided: u32,
    /// The most half boards held at a time.
    pub(super) keys: usize,
    /// Bytes per worker.
    pub(super) bytes: u64,
}

impl Plan {
    /// The fastest plan for board size `n`, with tiles of `side` column sets each way, that needs at
    /// most `limit` bytes; or else the bytes of the smallest.
    pub(super) fn new(n: u32, side: usize, limit: u64) -> Result<Self, u64> {
        let plans = (0..=MAX_DECIDED).map(|decided| Self::with_decided(n, side, decided));
        plans
            .clone()
            .find(|plan| plan.bytes <= limit)
            .ok_or_else(|| plans.map(|plan| plan.bytes).min().unwrap_or(0))
    }

    fn with_decided(n: u32, side: usize, decided: u32) -> Self {
        let (keys, quarter) = LARGEST[n.saturating_sub(16) as usize];
        let keys = shrunk(keys, decided);
        // Two tops and two bottoms with as much again for the classes of even boards, and half of
        // the four for the shorter column sets.
        let lists = if n.is_multiple_of(2) { 6 } else { 4 };
        let sets = if decided == 0 { side as u64 } else { 1 };
        let bytes = (sets * lists + 2) * 8 * quarter + BYTES_PER_KEY * keys + (1 << 20);
        Self { decided, keys: keys as usize, bytes }
    }
}

/// About what is left of `keys` when `decided` diagonals are.
fn shrunk(keys: u64, decided: u32) -> u64 {
    (0..decided).fold(keys, |keys, _| keys * 2 / 3)
}
