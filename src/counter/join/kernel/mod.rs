//! The hot loops of the join, once per instruction set, and the choice between them at run time.
//!
//! What stands above this module is written once, generic over [`Primitives`]. A kernel is a token
//! that exists only where its instructions do, so that its methods are safe to call; the only
//! `unsafe` code of the join is below.
//!
//! Each kernel is a folder of the same three files, to be read side by side: `lists` copies parts of
//! lists, `leaf` counts the pairs of a block and lists, `combine` makes lists. What the vector
//! kernels share is in [`vectors`], what all share is here.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vectors are stored without bounds checks")]
mod vectors;

use super::lists::Lists;
use super::subsets::members;
use crate::kernel::Kernel;
#[cfg(target_arch = "x86_64")]
use crate::kernel::{Avx2, Avx512};
use portable::Portable;
use std::ops::BitOr;

/// Runs `job` with the instructions of `kernel`.
///
/// # Panics
/// If this CPU lacks them.
pub(super) fn run<J: Job>(kernel: Kernel, job: J) -> J::Output {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2 => job.run(Avx2::of_this_cpu()),
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512 => job.run(Avx512::of_this_cpu()),
        _ => job.run(Portable),
    }
}

/// A computation that is compiled once for each kernel.
pub(super) trait Job {
    /// Its result.
    type Output;

    /// Computes it.
    fn run<P: Primitives>(self, kernel: P) -> Self::Output;
}

/// Keys that the lists are made of.
pub(super) trait Key: Copy + Default + BitOr<Output = Self> + Into<u64> {
    /// One of its bits, as 0 or 1.
    #[inline(always)]
    fn bit(self, bit: u32) -> usize {
        (self.into() >> bit & 1) as usize
    }
}
impl Key for u32 {}
impl Key for u64 {}

/// Most keys that a leaf takes as its block.
pub(super) const LEAF: usize = 512;

/// Keys that a kernel may overwrite behind the last one of a filtered list: a vector.
pub(super) const SLACK: usize = 16;

/// Keys that [`Sieve::sample`] looks at.
const SAMPLE: usize = 64;

/// Copying parts of a key list, and looking at it. Each is one pass without branches on the keys.
pub(super) trait Sieve<K> {
    /// Copies the keys that lack `bit` to the front of `out`, in order; returns how many there are.
    /// `out` must be longer than `keys` by [`SLACK`].
    fn filter(self, keys: &[K], bit: u32, out: &mut [K]) -> usize;

    /// Copies the keys that lack `bit` to the front of `out` and the others to the places behind
    /// them; returns how many lack it. `out` must not be shorter than `keys`.
    fn partition(self, keys: &[K], bit: u32, out: &mut [K]) -> usize;

    /// How many of up to 64 keys, evenly spread over the list, have each bit.
    fn sample(self, keys: &[K]) -> [u8; 64];
}

/// All that the join asks of an instruction set.
pub(super) trait Primitives: Sieve<u32> + Sieve<u64> + Copy {
    /// All bits that occur in the keys.
    fn union(self, keys: &[u64]) -> u64;

    /// Copies the bits of `mask`, at most 32, of every key to `out`, which is as long as `keys`:
    /// in their places if these are below 32, else moved together.
    fn narrow(self, keys: &[u64], mask: u64, out: &mut [u32]);

    /// Counts the pairs of a leaf.
    fn leaf(self, leaf: Leaf<'_>);

    /// Appends to `out` `a | b` for every `a` of `few` and `b` of `many` that share no bit.
    fn combine(self, few: &[u64], many: &[u64], out: &mut Vec<u64>);
}

/// A block of at most [`LEAF`] keys and the lists that it is to be paired with: adds to `totals` how
/// many pairs of a key of `block` and a key of each list share no bit of `mask`.
pub(super) struct Leaf<'a> {
    pub(super) block: &'a [u32],
    pub(super) lists: [&'a [u32]; 3],
    pub(super) mask: u32,
    pub(super) tables: &'a mut Tables,
    pub(super) totals: &'a mut [u64; 3],
}

impl Leaf<'_> {
    /// The same with a mask of the bits that keys of the block have.
    #[inline(always)]
    fn narrowed(self) -> Self {
        assert!(self.block.len() <= LEAF);
        let mask = self.mask & union(self.block);
        Self { mask, ..self }
    }
}

/// Room for the chunk tables of a leaf: four tables of 256 rows of 512 bits.
#[repr(align(64))]
pub(super) struct Tables([[[u64; 8]; 256]; 4]);

impl Default for Box<Tables> {
    fn default() -> Self {
        Box::new(Tables([[[0; 8]; 256]; 4]))
    }
}

/// The row that has a bit for each of the first `len` keys, if bit `i` of lane `j` belongs to key
/// `LANES * i + j`.
#[inline(always)]
fn present<const LANES: usize>(len: usize) -> [u32; LANES] {
    // Lane j holds the keys j, j + LANES, j + 2 LANES, …
    let mut lanes = [0; LANES];
    for (j, lane) in lanes.iter_mut().enumerate() {
        *lane = ((1u64 << ((len + LANES - 1 - j) / LANES)) - 1) as u32;
    }
    lanes
}

/// All bits that occur in the keys.
#[inline(always)]
fn union<K: Key>(keys: &[K]) -> K {
    keys.iter().fold(K::default(), |all, &key| all | key)
}

/// Copies to `out` the bits of `mask` of every key, which are all below 32.
#[inline(always)]
fn truncate(keys: &[u64], out: &mut [u32]) {
    for (out, &key) in out.iter_mut().zip(keys) {
        *out = key as u32;
    }
}

/// Distance between the keys of a sample.
fn stride(len: usize) -> usize {
    len.div_ceil(SAMPLE).max(1)
}

/// Appends to `out` `a | b` for every `a` of `few` and `b` of `many` that share no bit.
///
/// About one cycle per pair with vectors; `few` should be the shorter list.
pub(super) fn combine(kernel: Kernel, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    struct Combine<'a>(&'a [u64], &'a [u64], &'a mut Vec<u64>);
    impl Job for Combine<'_> {
        type Output = ();
        fn run<P: Primitives>(self, kernel: P) {
            kernel.combine(self.0, self.1, self.2);
        }
    }
    run(kernel, Combine(few, many, out));
}

/// The same for each of `groups` of `few` and the group of `many` that is as far from the end.
///
/// No key of `few` may be 0, which would meet the padding.
pub(super) fn combine_opposite(
    kernel: Kernel,
    few: &Lists,
    many: &Lists,
    groups: &[u32],
    out: &mut Vec<u64>,
) {
    struct Opposite<'a>(&'a Lists, &'a Lists, &'a [u32], &'a mut Vec<u64>);
    impl Job for Opposite<'_> {
        type Output = ();
        fn run<P: Primitives>(self, kernel: P) {
            let Self(few, many, groups, out) = self;
            let last = many.groups() - 1;
            for &group in groups {
                kernel.combine(few.of(group as usize), many.padded(last - group as usize), out);
            }
        }
    }
    run(kernel, Opposite(few, many, groups, out));
}

/// A queen to be added to placements that are grouped by the rows they use.
#[derive(Clone, Copy)]
pub(super) struct Addition<'a> {
    /// The placements without the queen.
    pub(super) shorter: &'a Lists,
    /// The row sets of the placements with it, in order.
    pub(super) row_sets: &'a [u32],
    /// The group of `shorter` that holds the placements with a row set.
    pub(super) ranks: &'a [u32],
    /// The diagonals of the queen's square in each row, 0 where it may not stand.
    pub(super) squares: &'a [u64],
}

/// Appends to `longer`, for each row set, the placements with the queen in one of its rows and the
/// others as in `shorter`.
pub(super) fn add_queen(kernel: Kernel, addition: Addition, longer: &mut Lists) {
    struct Add<'a, 'b>(Addition<'a>, &'b mut Lists);
    impl Job for Add<'_, '_> {
        type Output = ();
        fn run<P: Primitives>(self, kernel: P) {
            let Self(Addition { shorter, row_sets, ranks, squares }, longer) = self;
            for &rows in row_sets {
                longer.push_with(|keys| {
                    for row in members(rows) {
                        let square = squares[row as usize];
                        if square != 0 {
                            let group = ranks[(rows & !(1 << row)) as usize] as usize;
                            kernel.combine(&[square], shorter.padded(group), keys);
                        }
                    }
                });
            }
        }
    }
    run(kernel, Add(addition, longer));
}
