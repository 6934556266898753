//! The hot loops of the join, once per instruction set, and the choice between them at run time.
//!
//! What stands above this module is written once, generic over [`Primitives`]. A kernel is a token
//! that exists only where its instructions do, so that its methods are safe to call; the only
//! `unsafe` code of the join is below.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod avx512;
mod portable;

use super::lists::Lists;
use super::subsets::members;
use crate::kernel::Kernel;
#[cfg(target_arch = "x86_64")]
use crate::kernel::{Avx2, Avx512};
use portable::Portable;

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
pub(super) trait Key: Copy + Default {}
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

    /// Adds to `totals` how many pairs of a key of `block` and a key of each of `lists` share no
    /// bit of `mask`. The block has at most [`LEAF`] keys.
    fn leaf(
        self,
        block: &[u32],
        lists: [&[u32]; 3],
        mask: u32,
        tables: &mut Tables,
        totals: &mut [u64; 3],
    );

    /// As [`combine`].
    fn combine(self, few: &[u64], many: &[u64], out: &mut Vec<u64>);

    /// As [`combine_opposite`].
    fn combine_opposite(self, few: &Lists, many: &Lists, groups: &[u32], out: &mut Vec<u64>);

    /// As [`add_queen`].
    fn add_queen(self, addition: Addition, longer: &mut Lists);
}

/// Room for the chunk tables of a leaf: four tables of 256 rows of 512 bits.
#[repr(align(64))]
pub(super) struct Tables([[[u64; 8]; 256]; 4]);

impl Default for Box<Tables> {
    fn default() -> Self {
        Box::new(Tables([[[0; 8]; 256]; 4]))
    }
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
            kernel.combine_opposite(self.0, self.1, self.2, self.3);
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
            kernel.add_queen(self.0, self.1);
        }
    }
    run(kernel, Add(addition, longer));
}

/// The body of [`Primitives::combine_opposite`], for `append` to be compiled into.
#[inline(always)]
fn opposite(
    few: &Lists,
    many: &Lists,
    groups: &[u32],
    out: &mut Vec<u64>,
    append: impl Fn(&[u64], &[u64], &mut Vec<u64>),
) {
    let last = many.groups() - 1;
    for &group in groups {
        append(few.of(group as usize), many.padded(last - group as usize), out);
    }
}

/// The body of [`Primitives::add_queen`], for `append` to be compiled into.
#[inline(always)]
fn add_to_each(
    addition: Addition,
    longer: &mut Lists,
    append: impl Fn(&[u64], &[u64], &mut Vec<u64>),
) {
    let Addition { shorter, row_sets, ranks, squares } = addition;
    for &rows in row_sets {
        longer.push_with(|keys| {
            for row in members(rows) {
                let square = squares[row as usize];
                if square != 0 {
                    let group = ranks[(rows & !(1 << row)) as usize] as usize;
                    append(&[square], shorter.padded(group), keys);
                }
            }
        });
    }
}
