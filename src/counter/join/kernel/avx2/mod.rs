//! AVX2 kernel: left-packing of lists with a table of lane orders; leaves and the making of
//! lists have files of their own.
//!
//! A vector holds eight `u32` or four `u64`. The wanted bit is shifted to the sign, the signs
//! become a mask, the mask selects an order of lanes that puts the zeros first, and the whole
//! vector is stored, garbage included:
//!
//! ```text
//! lane   7 6 5 4 3 2 1 0
//! keys   h g f e d c b a        order[11001001] makes   h g d a | f e c b
//! bit    1 1 0 0 1 0 0 1        stored ending at `back` and starting at `front`: one permutation
//! ```
//!
//! Measured on Zen 3, lists of 8 to 32 KiB, cycles per key: partition 0.95 (`u64`) and 0.6 (`u32`),
//! filter 0.8 and 0.45; without the stores 0.55 (`u64`). Not kept: a compare instead of the shift
//! (same), keys as two arrays of `u32` (-10 %, not worth it), one key at a time without branches
//! (2.1).

mod combine;
mod leaf;

use super::{Addition, Primitives, SLACK, Sieve, Tables, stride, truncate};
use crate::counter::join::lists::Lists;
use crate::kernel::Avx2;
use std::arch::x86_64::*;

impl Sieve<u32> for Avx2 {
    #[inline]
    fn filter(self, keys: &[u32], bit: u32, out: &mut [u32]) -> usize {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { filter32(keys, bit, out) }
    }

    #[inline]
    fn partition(self, keys: &[u32], bit: u32, out: &mut [u32]) -> usize {
        // SAFETY: as above.
        unsafe { partition32(keys, bit, out) }
    }

    #[inline]
    fn sample(self, keys: &[u32]) -> [u8; 64] {
        // SAFETY: as above.
        unsafe { sample32(keys) }
    }
}

impl Sieve<u64> for Avx2 {
    #[inline]
    fn filter(self, keys: &[u64], bit: u32, out: &mut [u64]) -> usize {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { filter64(keys, bit, out) }
    }

    #[inline]
    fn partition(self, keys: &[u64], bit: u32, out: &mut [u64]) -> usize {
        // SAFETY: as above.
        unsafe { partition64(keys, bit, out) }
    }

    #[inline]
    fn sample(self, keys: &[u64]) -> [u8; 64] {
        // SAFETY: as above.
        unsafe { sample64(keys) }
    }
}

impl Primitives for Avx2 {
    #[inline]
    fn union(self, keys: &[u64]) -> u64 {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { union(keys) }
    }

    #[inline]
    fn narrow(self, keys: &[u64], mask: u64, out: &mut [u32]) {
        // SAFETY: as above.
        unsafe { narrow(keys, mask, out) }
    }

    #[inline]
    fn leaf(
        self,
        block: &[u32],
        lists: [&[u32]; 3],
        mask: u32,
        tables: &mut Tables,
        totals: &mut [u64; 3],
    ) {
        // SAFETY: as above.
        unsafe { leaf::count(block, lists, mask, tables, totals) }
    }

    #[inline]
    fn combine(self, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        // SAFETY: as above.
        unsafe { combine::append(few, many, out) }
    }

    #[inline]
    fn combine_opposite(self, few: &Lists, many: &Lists, groups: &[u32], out: &mut Vec<u64>) {
        // SAFETY: as above.
        unsafe { combine::combine_opposite(few, many, groups, out) }
    }

    #[inline]
    fn add_queen(self, addition: Addition, longer: &mut Lists) {
        // SAFETY: as above.
        unsafe { combine::add_queen(addition, longer) }
    }
}

/// For each mask the order of lanes that puts those with a clear bit first.
#[repr(align(32))]
struct Orders<const MASKS: usize>([[u32; 8]; MASKS]);

/// Orders of eight `u32`.
static ORDERS32: Orders<256> = orders(8, 1);
/// Orders of four `u64`, each a pair of lanes.
static ORDERS64: Orders<16> = orders(4, 2);

const fn orders<const MASKS: usize>(keys: usize, lanes: usize) -> Orders<MASKS> {
    let mut orders = [[0; 8]; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        let (mut next, mut i) = (0, 0);
        while i < 2 * keys {
            // first the keys with a clear bit, then those with a set one
            if mask >> (i % keys) & 1 == i / keys {
                let mut lane = 0;
                while lane < lanes {
                    orders[mask][next] = (i % keys * lanes + lane) as u32;
                    next += 1;
                    lane += 1;
                }
            }
            i += 1;
        }
        mask += 1;
    }
    Orders(orders)
}

macro_rules! lists {
    ($key:ty, $lanes:literal, $filter:ident, $partition:ident, $packed:ident) => {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn $filter(keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
            assert!(out.len() >= keys.len() + SLACK);
            let shift = _mm_cvtsi32_si128(<$key>::BITS as i32 - 1 - bit as i32);
            let mut used = 0;
            let (vectors, rest) = keys.as_chunks::<$lanes>();
            for vector in vectors {
                let (packed, ones) = $packed(vector, shift);
                // SAFETY: `used` is at most the number of keys read, and the assertion leaves room
                // for a vector more.
                unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(used).cast(), packed) };
                used += $lanes - ones;
            }
            for &key in rest {
                out[used] = key;
                used += usize::from(key >> bit & 1 == 0);
            }
            used
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn $partition(keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
            assert!(out.len() >= keys.len());
            let shift = _mm_cvtsi32_si128(<$key>::BITS as i32 - 1 - bit as i32);
            let (mut front, mut back) = (0, keys.len());
            let (vectors, rest) = keys.as_chunks::<$lanes>();
            // The odd keys first: then the gap between `front` and `back` is a whole number of
            // vectors, and the two stores of a vector are either the same one or do not meet.
            for &key in rest {
                out[front] = key;
                out[back - 1] = key;
                let one = usize::from(key >> bit & 1 == 1);
                front += 1 - one;
                back -= one;
            }
            for vector in vectors {
                let (packed, ones) = $packed(vector, shift);
                // SAFETY: the gap has room for all keys not yet copied, so at least for this
                // vector.
                unsafe {
                    _mm256_storeu_si256(out.as_mut_ptr().add(front).cast(), packed);
                    _mm256_storeu_si256(out.as_mut_ptr().add(back - $lanes).cast(), packed);
                }
                front += $lanes - ones;
                back -= ones;
            }
            front
        }
    };
}
lists!(u32, 8, filter32, partition32, packed32);
lists!(u64, 4, filter64, partition64, packed64);

/// The keys, those first whose bit is clear that `shift` moves to the top, and the number of the
/// others.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn packed32(keys: &[u32; 8], shift: __m128i) -> (__m256i, usize) {
    // SAFETY: the source has the size of a vector, and so has each of the 256 orders.
    let v = unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) };
    let ones = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sll_epi32(v, shift))) as u8;
    // SAFETY: as above.
    let order = unsafe { _mm256_load_si256(ORDERS32.0[usize::from(ones)].as_ptr().cast()) };
    (_mm256_permutevar8x32_epi32(v, order), ones.count_ones() as usize)
}

/// The keys, those first whose bit is clear that `shift` moves to the top, and the number of the
/// others.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn packed64(keys: &[u64; 4], shift: __m128i) -> (__m256i, usize) {
    // SAFETY: the source has the size of a vector.
    let v = unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) };
    let ones = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_sll_epi64(v, shift)));
    (zeros_first(v, ones), ones.count_ones() as usize)
}

/// The four `u64` of `v`, first those with a clear bit in the four bits of `mask`.
#[target_feature(enable = "avx2")]
#[inline]
fn zeros_first(v: __m256i, mask: i32) -> __m256i {
    // SAFETY: an order has the size of a vector.
    let order = unsafe { _mm256_load_si256(ORDERS64.0[mask as usize & 15].as_ptr().cast()) };
    _mm256_permutevar8x32_epi32(v, order)
}

/// Adds one to each byte of `counts` whose bit is set in the four bytes of the key that `bytes`
/// selects.
#[target_feature(enable = "avx2")]
#[inline]
fn tally(counts: &mut __m256i, key: __m256i, first_byte: i8) {
    let (low, high) = (0x0101_0101_0101_0101, 0x0202_0202_0202_0202);
    let select =
        _mm256_add_epi8(_mm256_set1_epi8(first_byte), _mm256_setr_epi64x(0, low, high, low + high));
    let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let spread = _mm256_and_si256(_mm256_shuffle_epi8(key, select), bits);
    *counts = _mm256_sub_epi8(*counts, _mm256_cmpeq_epi8(spread, bits));
}

#[target_feature(enable = "avx2")]
fn sample32(keys: &[u32]) -> [u8; 64] {
    let mut counts = [_mm256_setzero_si256(); 2];
    for &key in keys.iter().step_by(stride(keys.len())) {
        tally(&mut counts[0], _mm256_set1_epi32(key as i32), 0);
    }
    // SAFETY: both types are 64 bytes of any value.
    unsafe { std::mem::transmute(counts) }
}

#[target_feature(enable = "avx2")]
fn sample64(keys: &[u64]) -> [u8; 64] {
    let mut counts = [_mm256_setzero_si256(); 2];
    for &key in keys.iter().step_by(stride(keys.len())) {
        let key = _mm256_set1_epi64x(key as i64);
        tally(&mut counts[0], key, 0);
        tally(&mut counts[1], key, 4);
    }
    // SAFETY: both types are 64 bytes of any value.
    unsafe { std::mem::transmute(counts) }
}

#[target_feature(enable = "avx2")]
fn union(keys: &[u64]) -> u64 {
    let mut all = 0;
    for key in keys {
        all |= key;
    }
    all
}

#[target_feature(enable = "avx2,bmi2")]
fn narrow(keys: &[u64], mask: u64, out: &mut [u32]) {
    if mask >> 32 == 0 {
        return truncate(keys, out);
    }
    for (out, &key) in out.iter_mut().zip(keys) {
        *out = _pext_u64(key, mask) as u32;
    }
}
