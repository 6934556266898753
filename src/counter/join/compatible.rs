//! Counts the pairs of keys that share no bit, a whole list against a whole list.
//!
//! Testing pair by pair, even 512 at a time, is slow for long lists. A bit that keys of both lists
//! have splits the work: of the four combinations of its values one has no pair, and two of the
//! others can stay together.
//!
//! ```text
//!              b lacks it   b has it
//! a lacks it       x           x       block:    (a lacks it, all b) + (a has it, b lacks it)
//! a has it         x           -       scanned:  (all a, b lacks it) + (a lacks it, b has it)
//! ```
//!
//! This repeats, on the bit that the largest share of pairs have in common, until at most 512 keys
//! are left in the *block*, the shorter list. Then a leaf tests the other list, the *scanned* one,
//! against the whole block at once. Lists are only read; parts go to the front of free memory,
//! which ends with the call that made them. Keys are 64 bits wide until at most 32 undecided bits
//! are left, then 32 bits.
//!
//! Bits 62 and 63 are no part of the match. They are the class of a scanned key, 0, 1 or 2 of them
//! set; keys of one class stay in one slice all the way down.
//!
//! **Memory.** About 32 bytes per key of both lists together, 16 more while keys of 32 bits are
//! used, and 64 KiB.
//!
//! **Time.** AVX2, Zen 3, idle core, whole calls, without making the lists (at n = 20: leaves 12
//! cycles, of these building 2, copies 9, samples and choice 1; at n = 22: leaves 23, copies 25):
//!
//! | n  | block + scanned | cycles per key | leaf visits per key | leaves | copies per key |
//! | -: | --------------: | -------------: | ------------------: | -----: | -------------: |
//! | 16 |     313 + 1200  |            7.9 |                0.80 |    1.2 |            0.1 |
//! | 18 |   1.7 k + 6.7 k |           12.9 |                1.34 |    5.5 |            2.1 |
//! | 19 |     342 + 2277  |            6.8 |                0.93 |    1.2 |            0.2 |
//! | 20 |  10.7 k + 41 k  |           23.9 |                1.94 |     63 |            7.1 |
//! | 22 |    74 k + 250 k |             53 |                3.22 |    705 |             16 |
//! | 24 |   0.6 M + 2.6 M |            120 |                6.25 |   14 k |             34 |
use super::kernel::{self, Job, Key, LEAF, Leaf, Primitives, SLACK, Sieve, Tables};
use super::room::reserve;
use crate::kernel::Kernel;

/// The scanned list is split rather than the block if it is longer than this, …
const LONG_SCAN: usize = 4096;
/// … if the block is longer than this, …
const LONG_BLOCK: usize = 1024;
/// … and if it is this many times as long as the block. (Without this rule: n = 22 +4 %,
/// n = 24 +40 %; with 4: +6 %, +16 %. The two bounds are flat: 2 k to 8 k and 512 to 1 k differ by
/// 2 %.)
const LONG_RATIO: usize = 2;

/// The two bits of a key that make its class.
const CLASS_BITS: u64 = 3 << 62;

/// Working memory of [`compatible`], kept from call to call.
#[derive(Default)]
pub(super) struct Scratch {
    wide: Vec<u64>,
    narrow: Vec<u32>,
    tables: Box<Tables>,
}

/// The sum of `weights[class of b]` over all `a` of `tops` and `b` of `bottoms` that share none of
/// the bits 0 to 61.
///
/// The class of `b` is the number of its bits 62 and 63 that are set; a class of weight 0 costs
/// nothing. The order of keys does not matter, but similar keys side by side are faster. For time
/// and memory see above. `None` if the sum does not fit 64 bits.
pub(super) fn compatible(
    kernel: Kernel,
    tops: &[u64],
    bottoms: &[u64],
    weights: [u64; 3],
    scratch: &mut Scratch,
) -> Option<u64> {
    let pairs = kernel::run(kernel, Compatible { tops, bottoms, weights, scratch });
    let weighted = pairs.iter().zip(weights).map(|(&pairs, weight)| pairs.checked_mul(weight));
    weighted.into_iter().try_fold(0, |sum: u64, part| sum.checked_add(part?))
}

/// The pairs of each class; classes of weight 0 may be left out.
struct Compatible<'a> {
    tops: &'a [u64],
    bottoms: &'a [u64],
    weights: [u64; 3],
    scratch: &'a mut Scratch,
}

impl Job for Compatible<'_> {
    type Output = [u64; 3];

    fn run<P: Primitives>(self, kernel: P) -> [u64; 3] {
        let Compatible { tops, bottoms, weights, scratch } = self;
        let undecided =
            kernel.union(if tops.len() < bottoms.len() { tops } else { bottoms }) & !CLASS_BITS;
        let mut free = Free::new(&mut scratch.wide, tops.len() + bottoms.len());
        let mut classes = by_class(kernel, bottoms, &mut free);
        for (class, weight) in classes.iter_mut().zip(weights) {
            if weight == 0 {
                *class = &[];
            }
        }
        let mut join = Join {
            kernel,
            tables: &mut scratch.tables,
            narrow: &mut scratch.narrow,
            pairs: [0; 3],
        };
        if tops.len() <= bottoms.len() {
            join.count(tops, classes, undecided, free);
            return join.pairs;
        }
        classes.map(|bottoms| {
            join.pairs = [0; 3];
            join.count(bottoms, [tops, &[], &[]], undecided, free.reborrow());
            join.pairs[0]
        })
    }
}

/// The keys that have none, one and both of the class bits.
fn by_class<'f, P: Primitives>(
    kernel: P,
    keys: &[u64],
    free: &mut Free<'f, u64>,
) -> [&'f [u64]; 3] {
    let halves = free.take(keys.len());
    let half = kernel.partition(keys, 62, halves);
    let (lower, upper) = halves.split_at(half);
    // 00 01 | 10 11: the two middle parts are one class
    let parts = free.take(keys.len());
    let one = kernel.partition(lower, 63, parts);
    let both = half + kernel.partition(upper, 63, &mut parts[half..]);
    [&parts[..one], &parts[one..both], &parts[both..]]
}

/// Free memory: parts of lists are taken from its front.
struct Free<'f, K>(&'f mut [K]);

impl<'f, K: Key> Free<'f, K> {
    /// Memory for counting pairs of lists of `keys` keys together.
    ///
    /// A split needs the room of the lists at most, and its larger half goes on with about 0.6 of
    /// them: 2.5 times the lists for a chain of splits, and one and a half times for the copies
    /// before the first.
    fn new(memory: &'f mut Vec<K>, keys: usize) -> Self {
        let size = 4 * keys + 64 * SLACK;
        if memory.len() < size {
            reserve(memory, size - memory.len());
            memory.resize(size, K::default());
        }
        Free(memory)
    }

    /// Takes the next `len` keys.
    fn take(&mut self, len: usize) -> &'f mut [K] {
        let (taken, rest) = std::mem::take(&mut self.0).split_at_mut(len);
        self.0 = rest;
        taken
    }

    /// The same memory for a shorter time.
    fn reborrow(&mut self) -> Free<'_, K> {
        Free(self.0)
    }
}

/// Counting under way: the kernel, its working memory, and the pairs found so far per class.
struct Join<'a, P> {
    kernel: P,
    tables: &'a mut Tables,
    narrow: &'a mut Vec<u32>,
    pairs: [u64; 3],
}

/// How lists of this kind of key end.
trait End<K> {
    /// Counts the pairs of short enough lists without a split; returns whether they are short
    /// enough.
    fn end(&mut self, block: &[K], scanned: [&[K]; 3], undecided: u64) -> bool;
}

impl<P: Primitives> End<u64> for Join<'_, P> {
    /// Goes on with keys of 32 bits if these suffice.
    fn end(&mut self, block: &[u64], scanned: [&[u64]; 3], undecided: u64) -> bool {
        if undecided.count_ones() > 32 {
            return false;
        }
        let mut memory = std::mem::take(self.narrow);
        let mut free = Free::new(&mut memory, block.len() + total(scanned));
        let mut narrow = |keys: &[u64]| {
            let out = free.take(padded(keys.len()));
            self.kernel.narrow(keys, undecided, &mut out[..keys.len()]);
            &out[..keys.len()]
        };
        let (block, scanned) = (narrow(block), scanned.map(&mut narrow));
        let moved = (1 << undecided.count_ones()) - 1;
        self.count(block, scanned, if undecided >> 32 == 0 { undecided } else { moved }, free);
        *self.narrow = memory;
        true
    }
}

impl<P: Primitives> End<u32> for Join<'_, P> {
    fn end(&mut self, block: &[u32], scanned: [&[u32]; 3], undecided: u64) -> bool {
        let short = block.len() <= LEAF;
        if short {
            self.kernel.leaf(Leaf {
                block,
                lists: scanned,
                mask: undecided as u32,
                tables: self.tables,
                totals: &mut self.pairs,
            });
        }
        short
    }
}

impl<P: Primitives> Join<'_, P> {
    /// Adds the pairs of `block` and each of the `scanned` lists that share no `undecided` bit;
    /// they share no other.
    fn count<K: Key>(&mut self, block: &[K], scanned: [&[K]; 3], undecided: u64, free: Free<K>)
    where
        P: Sieve<K>,
        Self: End<K>,
    {
        let length = total(scanned);
        if block.is_empty() || length == 0 || self.end(block, scanned, undecided) {
            return;
        }
        if undecided == 0 {
            for (pairs, keys) in self.pairs.iter_mut().zip(scanned) {
                *pairs += block.len() as u64 * keys.len() as u64;
            }
            return;
        }
        let mut more = Vec::new();
        let room = block.len() + length + 8 * SLACK;
        let mut free = if free.0.len() < room { Free::new(&mut more, room) } else { free };
        let bit = self.most_shared(block, scanned, undecided);
        let undecided = undecided & !(1 << bit);
        if length > LONG_SCAN && block.len() > LONG_BLOCK && length > LONG_RATIO * block.len() {
            let parts = scanned.map(|keys| self.partition(keys, bit, &mut free));
            self.count(block, parts.map(|(zeros, _)| zeros), undecided, free.reborrow());
            let zeros = self.filter(block, bit, &mut free);
            self.count(zeros, parts.map(|(_, ones)| ones), undecided, free);
        } else {
            let (zeros, ones) = self.partition(block, bit, &mut free);
            self.count(zeros, scanned, undecided, free.reborrow());
            let scanned = scanned.map(|keys| self.filter(keys, bit, &mut free));
            self.count(ones, scanned, undecided, free);
        }
    }

    /// The undecided bit that most pairs share, by a sample.
    fn most_shared<K>(&self, block: &[K], scanned: [&[K]; 3], undecided: u64) -> u32
    where
        P: Sieve<K>,
    {
        let longest = scanned.into_iter().max_by_key(|keys| keys.len()).unwrap_or_default();
        let (a, b) = (self.kernel.sample(block), self.kernel.sample(longest));
        let shared = |bit: &u32| u32::from(a[*bit as usize]) * u32::from(b[*bit as usize]);
        ones(undecided).max_by_key(shared).expect("an undecided bit")
    }

    /// The keys that lack `bit`, and the others.
    fn partition<'f, K: Key>(
        &self,
        keys: &[K],
        bit: u32,
        free: &mut Free<'f, K>,
    ) -> (&'f [K], &'f [K])
    where
        P: Sieve<K>,
    {
        let out = &mut free.take(padded(keys.len()))[..keys.len()];
        let zeros = self.kernel.partition(keys, bit, out);
        let (zeros, ones) = out.split_at(zeros);
        (zeros, ones)
    }

    /// The keys that lack `bit`.
    fn filter<'f, K: Key>(&self, keys: &[K], bit: u32, free: &mut Free<'f, K>) -> &'f [K]
    where
        P: Sieve<K>,
    {
        let zeros = self.kernel.filter(keys, bit, free.0);
        &free.take(padded(zeros))[..zeros]
    }
}

/// Length that keeps the next list aligned to a vector.
fn padded(len: usize) -> usize {
    len.next_multiple_of(SLACK)
}

/// Keys of all classes together.
fn total<K>(classes: [&[K]; 3]) -> usize {
    classes.iter().map(|keys| keys.len()).sum()
}

/// The numbers of the bits that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

#[cfg(test)]
#[path = "compatible_tests.rs"]
mod tests;
