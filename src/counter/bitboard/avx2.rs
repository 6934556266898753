//! Eight lanes: AVX2 instructions for [`Lanes`].
//!
//! AVX2 cannot pack chosen lanes, but it can permute: a table holds the order for each of the 256
//! choices of lanes, in bytes (2 KiB). A choice of lanes is a vector of all ones or all zeros, as
//! comparisons return it; as a number it is -1 or 0.
//!
//! Tried and dropped: permuting the halves by byte shuffles and storing each with 128 bits takes
//! 1.3 to 1.5 times as long, since unaligned stores are what this program waits for.

use std::arch::x86_64::*;

use super::lanes::{self, Lanes, Stacks};
use crate::attacks::Attacks;
use crate::kernel::{Avx2, with_avx2};
use crate::tally::Tally;

/// For each choice of lanes, their numbers in order.
static PACKINGS: [[u8; 8]; 256] = {
    let mut packings = [[0; 8]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if chosen >> lane & 1 == 1 {
                packings[chosen][place] = lane as u8;
                place += 1;
            }
            lane += 1;
        }
        chosen += 1;
    }
    packings
};

impl Lanes for Avx2 {
    type Vector = __m256i;
    type Selection = __m256i;
    type Packing = __m256i;
    const COUNT: usize = 8;

    with_avx2! {
        fn count(
            cpu,
            rows: &[u32],
            row: usize,
            positions: &[Attacks],
            stacks: &mut Stacks,
        ) -> Tally {
            lanes::count(cpu, rows, row, positions, stacks)
        }

        fn splat(_, mask: u32) -> __m256i { _mm256_set1_epi32(mask.cast_signed()) }

        fn load(_, from: &[u32]) -> __m256i {
            let from: &[u32; 8] = from.first_chunk().expect("the stacks have room for a vector");
            // SAFETY: `from` is as large as the vector.
            unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
        }

        fn store(_, vector: __m256i, to: &mut [u32]) {
            let to: &mut [u32; 8] = to.first_chunk_mut().expect("the stacks have room for a vector");
            // SAFETY: `to` is as large as the vector.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
        }

        fn and(_, a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        fn or(_, a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        fn without(_, a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        fn left(_, a: __m256i) -> __m256i { _mm256_slli_epi32::<1>(a) }
        fn right(_, a: __m256i) -> __m256i { _mm256_srli_epi32::<1>(a) }

        fn lowest(_, a: __m256i) -> __m256i {
            _mm256_and_si256(a, _mm256_sub_epi32(_mm256_setzero_si256(), a))
        }

        fn equal(_, a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi32(a, b) }
        fn either(_, a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        fn but_not(_, a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        fn clear(_, a: __m256i, lanes: __m256i) -> __m256i { _mm256_andnot_si256(lanes, a) }
        fn increment(_, a: __m256i, lanes: __m256i) -> __m256i { _mm256_sub_epi32(a, lanes) }

        fn packing(_, a: __m256i) -> (__m256i, usize) {
            let zero = _mm256_cmpeq_epi32(a, _mm256_setzero_si256());
            let chosen = !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) & 0xff;
            let order = &PACKINGS[chosen as usize];
            // SAFETY: an order has the eight bytes that are read.
            let order = unsafe { _mm_loadl_epi64(order.as_ptr().cast()) };
            (_mm256_cvtepu8_epi32(order), chosen.count_ones() as usize)
        }

        fn pack(_, a: __m256i, packing: __m256i) -> __m256i {
            _mm256_permutevar8x32_epi32(a, packing)
        }
    }
}
