//! Sixteen lanes: AVX-512 instructions for [`Lanes`].
//!
//! A choice of lanes is a mask register, and packing is an instruction of its own. It packs into a
//! register, which is then stored whole: packing straight to memory is microcoded on Zen 4.

use std::arch::x86_64::*;

use super::lanes::{self, Lanes, Stacks};
use crate::attacks::Attacks;
use crate::kernel::Avx512;
use crate::tally::Tally;

/// Solutions and nodes below `positions`, as [`super::scalar::count`].
pub(super) fn count(
    cpu: Avx512,
    rows: &[u32],
    row: usize,
    positions: &[Attacks],
    stacks: &mut Stacks,
) -> Tally {
    #[target_feature(enable = "avx512f,avx2,bmi1,bmi2,popcnt")]
    fn count(
        cpu: Avx512,
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

impl Lanes for Avx512 {
    type Vector = __m512i;
    type Selection = __mmask16;
    type Packing = __mmask16;
    const COUNT: usize = 16;

    #[inline(always)]
    fn splat(self, mask: u32) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_set1_epi32(mask.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, from: &[u32]) -> __m512i {
        let from: &[u32; 16] = from.first_chunk().expect("the stacks have room for a vector");
        // SAFETY: as everywhere here; and `from` is as large as the vector.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m512i, to: &mut [u32]) {
        let to: &mut [u32; 16] = to.first_chunk_mut().expect("the stacks have room for a vector");
        // SAFETY: as everywhere here; and `to` is as large as the vector.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn without(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_andnot_si512(b, a) }
    }

    #[inline(always)]
    fn left(self, a: __m512i) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_slli_epi32::<1>(a) }
    }

    #[inline(always)]
    fn right(self, a: __m512i) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_srli_epi32::<1>(a) }
    }

    #[inline(always)]
    fn lowest(self, a: __m512i) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_and_si512(a, _mm512_sub_epi32(_mm512_setzero_si512(), a)) }
    }

    #[inline(always)]
    fn equal(self, a: __m512i, b: __m512i) -> __mmask16 {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_cmpeq_epi32_mask(a, b) }
    }

    #[inline(always)]
    fn either(self, a: __mmask16, b: __mmask16) -> __mmask16 {
        a | b
    }

    #[inline(always)]
    fn but_not(self, a: __mmask16, b: __mmask16) -> __mmask16 {
        a & !b
    }

    #[inline(always)]
    fn clear(self, a: __m512i, lanes: __mmask16) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_maskz_mov_epi32(!lanes, a) }
    }

    #[inline(always)]
    fn increment(self, a: __m512i, lanes: __mmask16) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_mask_add_epi32(a, lanes, a, _mm512_set1_epi32(1)) }
    }

    #[inline(always)]
    fn sum(self, a: __m512i) -> u64 {
        let mut lanes = [0; 16];
        self.store(a, &mut lanes);
        lanes.into_iter().map(u64::from).sum()
    }

    #[inline(always)]
    fn packing(self, a: __m512i) -> (__mmask16, usize) {
        // SAFETY: `self` proves that the CPU has the instructions.
        let chosen = unsafe { _mm512_test_epi32_mask(a, a) };
        (chosen, chosen.count_ones() as usize)
    }

    #[inline(always)]
    fn pack(self, a: __m512i, packing: __mmask16) -> __m512i {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { _mm512_maskz_compress_epi32(packing, a) }
    }
}
