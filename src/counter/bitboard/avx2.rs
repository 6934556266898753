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
use crate::kernel::Avx2;
use crate::tally::Tally;

/// Solutions and nodes below `positions`, as [`super::scalar::count`].
pub(super) fn count(
    cpu: Avx2,
    rows: &[u32],
    row: usize,
    positions: &[Attacks],
    stacks: &mut Stacks,
) -> Tally {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn count(
        cpu: Avx2,
        rows: &[u32],
        row: usize,
        positions: &[Attacks],
        stacks: &mut Stacks,
    ) -> Tally {
        lanes::count(cpu, rows, row, positions, stacks)
    }
    // SAFETY: `cpu` proves that the CPU has the instructions.
    unsafe { count(cpu, rows, row, positions, stacks) }
}

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

    #[inline(always)]
    fn splat(self, mask: u32) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_set1_epi32(mask.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, from: &[u32]) -> __m256i {
        let from: &[u32; 8] = from.first_chunk().expect("the stacks have room for a vector");
        // SAFETY: as everywhere here; and `from` is as large as the vector.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m256i, to: &mut [u32]) {
        let to: &mut [u32; 8] = to.first_chunk_mut().expect("the stacks have room for a vector");
        // SAFETY: as everywhere here; and `to` is as large as the vector.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn without(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_andnot_si256(b, a) }
    }

    #[inline(always)]
    fn left(self, a: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_slli_epi32::<1>(a) }
    }

    #[inline(always)]
    fn right(self, a: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_srli_epi32::<1>(a) }
    }

    #[inline(always)]
    fn lowest(self, a: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_and_si256(a, _mm256_sub_epi32(_mm256_setzero_si256(), a)) }
    }

    #[inline(always)]
    fn equal(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_cmpeq_epi32(a, b) }
    }

    #[inline(always)]
    fn either(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn but_not(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_andnot_si256(b, a) }
    }

    #[inline(always)]
    fn clear(self, a: __m256i, lanes: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_andnot_si256(lanes, a) }
    }

    #[inline(always)]
    fn increment(self, a: __m256i, lanes: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_sub_epi32(a, lanes) }
    }

    #[inline(always)]
    fn sum(self, a: __m256i) -> u64 {
        let mut lanes = [0; 8];
        self.store(a, &mut lanes);
        lanes.into_iter().map(u64::from).sum()
    }

    #[inline(always)]
    fn packing(self, a: __m256i) -> (__m256i, usize) {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe {
            let zero = _mm256_cmpeq_epi32(a, _mm256_setzero_si256());
            let chosen = !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) & 0xff;
            let order = &PACKINGS[chosen as usize];
            let packing = _mm256_cvtepu8_epi32(_mm_loadl_epi64(order.as_ptr().cast()));
            (packing, chosen.count_ones() as usize)
        }
    }

    #[inline(always)]
    fn pack(self, a: __m256i, packing: __m256i) -> __m256i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm256_permutevar8x32_epi32(a, packing) }
    }
}
