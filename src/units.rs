//! Which units are counted, and the order in which the others are taken.
//!
//! The set is one bit per unit. The order matters for long runs: units differ in size, and neighbours
//! resemble each other, so units in the order of their numbers would make any forecast wrong.
//! Here they are taken in blocks, and the blocks in steps of about 0.618 of their number, which
//! spreads any first part of them evenly over the whole:
//!
//! ```text
//! 8 blocks, step 5:   0 5 2 7 4 1 6 3
//! ```
//!
//! So the share of units done is close to the share of work done at any time, whatever the
//! algorithm, and no unit needs a weight. Blocks of neighbours let a worker use again what it
//! prepared for the unit before.

/// A set of units: one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnitSet {
    words: Vec<u64>,
    len: u64,
}

impl UnitSet {
    /// The empty set, with room for the units `0..units`.
    pub(crate) fn new(units: u64) -> Self {
        Self { words: vec![0; units.div_ceil(64) as usize], len: 0 }
    }

    /// Number of units in the set.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Whether `unit` is in the set.
    pub(crate) fn contains(&self, unit: u64) -> bool {
        self.words[(unit / 64) as usize] >> (unit % 64) & 1 == 1
    }

    /// Adds `unit`, and returns whether it was not there before.
    pub(crate) fn insert(&mut self, unit: u64) -> bool {
        let new = !self.contains(unit);
        self.words[(unit / 64) as usize] |= 1 << (unit % 64);
        self.len += u64::from(new);
        new
    }
}

/// Blocks have at most this many units, and there are at least as many blocks where possible.
const BLOCK: u64 = 256;

/// The units `0..units`, each once, in an order in which every first part is a fair sample.
pub(crate) fn spread(units: u64) -> impl Iterator<Item = u64> {
    let size = (units / BLOCK).clamp(1, BLOCK);
    let blocks = units.div_ceil(size);
    let step = (blocks as f64 * 0.618) as u64;
    let step = (step.max(1)..).find(|&step| gcd(step, blocks) <= 1).unwrap_or(1);
    (0..blocks).flat_map(move |turn| {
        let block = (u128::from(turn) * u128::from(step) % u128::from(blocks)) as u64;
        block * size..units.min((block + 1) * size)
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_once() {
        for units in (0..2000).chain([65_535, 65_536, 65_537, 1_000_003]) {
            let mut set = UnitSet::new(units);
            assert!(spread(units).all(|unit| set.insert(unit)), "{units}");
            assert_eq!(set.len(), units);
            assert!((0..units).all(|unit| set.contains(unit)));
        }
    }

    #[test]
    fn the_drawn_order() {
        assert_eq!(spread(8).collect::<Vec<_>>(), [0, 5, 2, 7, 4, 1, 6, 3]);
    }

    #[test]
    fn first_parts_are_spread_evenly() {
        for units in [1000, 100_000] {
            let tenth: Vec<u64> = spread(units).take(units as usize / 10).collect();
            let low = tenth.iter().filter(|&&unit| unit < units / 2).count() as f64;
            assert!((low / tenth.len() as f64 - 0.5).abs() < 0.05, "{units}: {low}");
        }
    }
}
