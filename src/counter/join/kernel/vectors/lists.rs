//! Copying parts of key lists, and looking at them, a vector at a time.
//!
//! A vector of keys is read, its keys are put in order by one bit, and a whole vector is stored,
//! garbage included; the next one is stored over the garbage:
//!
//! ```text
//! filter      out   kept kept kept | new new . . |             the front grows by the zeros
//! partition   out   zeros zeros | new . . . . new | ones       both ends grow into the gap
//! ```

use super::super::{Key, SLACK, stride, truncate};
use crate::kernel::Avx2;

/// Putting the `LANES` keys of a vector in order by a bit.
pub(in super::super) trait Sort<K, const LANES: usize>: Copy {
    /// The number of a bit, in the form that the instructions want.
    type Bit: Copy;
    /// The keys of a vector, in order.
    type Sorted: Copy;

    fn bit(self, number: u32) -> Self::Bit;
    fn sort(self, keys: &[K; LANES], bit: Self::Bit) -> Self::Sorted;
    /// How many keys lack the bit.
    fn zeros(self, sorted: Self::Sorted) -> usize;
    /// How many keys have the bit.
    fn ones(self, sorted: Self::Sorted) -> usize;
    /// Writes the keys that lack the bit to the front of `to`; the rest of it is arbitrary.
    fn store_zeros(self, sorted: Self::Sorted, to: &mut [K; LANES]);
    /// Writes the keys that have the bit to the end of `to`; the places of a vector before the end
    /// are arbitrary, or left as they are.
    ///
    /// # Safety
    /// `to` must have `LANES` places or more.
    unsafe fn store_ones(self, sorted: Self::Sorted, to: &mut [K]);
}

/// The body of [`Sieve::filter`](super::super::Sieve::filter).
#[inline(always)]
pub(in super::super) fn filter<K: Key, const LANES: usize>(
    cpu: impl Sort<K, LANES>,
    keys: &[K],
    bit: u32,
    out: &mut [K],
) -> usize {
    const { assert!(LANES <= SLACK) };
    assert!(out.len() >= keys.len() + SLACK);
    let wanted = cpu.bit(bit);
    let mut used = 0;
    let (vectors, rest) = keys.as_chunks::<LANES>();
    for vector in vectors {
        let sorted = cpu.sort(vector, wanted);
        // SAFETY: `used` is at most the number of keys read, and the assertion leaves room for a
        // vector more.
        cpu.store_zeros(sorted, unsafe { window(out, used) });
        used += cpu.zeros(sorted);
    }
    for &key in rest {
        out[used] = key;
        used += usize::from(key.bit(bit) == 0);
    }
    used
}

/// The body of [`Sieve::partition`](super::super::Sieve::partition).
#[inline(always)]
pub(in super::super) fn partition<K: Key, const LANES: usize>(
    cpu: impl Sort<K, LANES>,
    keys: &[K],
    bit: u32,
    out: &mut [K],
) -> usize {
    assert!(out.len() >= keys.len());
    let wanted = cpu.bit(bit);
    let (mut front, mut back) = (0, keys.len());
    let (vectors, rest) = keys.as_chunks::<LANES>();
    // The odd keys first: then the gap between `front` and `back` is a whole number of vectors, and
    // the two windows of a vector are either the same one or do not meet.
    for &key in rest {
        out[front] = key;
        out[back - 1] = key;
        let one = key.bit(bit);
        front += 1 - one;
        back -= one;
    }
    for vector in vectors {
        let sorted = cpu.sort(vector, wanted);
        let ones = cpu.ones(sorted);
        // SAFETY: the gap has room for all keys not yet copied, so at least for this vector.
        unsafe {
            cpu.store_zeros(sorted, window(out, front));
            cpu.store_ones(sorted, out.get_unchecked_mut(..back));
        }
        front += LANES - ones;
        back -= ones;
    }
    front
}

/// The `LANES` places from `at` on.
///
/// # Safety
/// `out` must have them.
#[inline(always)]
pub(in super::super) unsafe fn window<K, const LANES: usize>(
    out: &mut [K],
    at: usize,
) -> &mut [K; LANES] {
    debug_assert!(at + LANES <= out.len());
    // SAFETY: by the condition above.
    unsafe { &mut *out.as_mut_ptr().add(at).cast() }
}

/// The body of [`Sieve::sample`](super::super::Sieve::sample).
#[inline(always)]
pub(in super::super) fn sample<K: Key>(cpu: impl Into<Avx2>, keys: &[K]) -> [u8; 64] {
    let cpu = cpu.into();
    let mut tallies = [cpu.no_tally(); 2];
    for &key in keys.iter().step_by(stride(keys.len())) {
        tallies[0] = cpu.tally(tallies[0], key.into(), 0);
        if size_of::<K>() > 4 {
            tallies[1] = cpu.tally(tallies[1], key.into(), 4);
        }
    }
    cpu.counts(tallies)
}

/// The body of [`Primitives::narrow`](super::super::Primitives::narrow).
#[inline(always)]
pub(in super::super) fn narrow(cpu: impl Into<Avx2>, keys: &[u64], mask: u64, out: &mut [u32]) {
    if mask >> 32 == 0 {
        return truncate(keys, out);
    }
    let cpu = cpu.into();
    for (out, &key) in out.iter_mut().zip(keys) {
        *out = cpu.extract(key, mask) as u32;
    }
}
