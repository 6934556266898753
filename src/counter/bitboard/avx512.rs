//! Sixteen lanes: AVX-512 instructions for [`Lanes`].
//!
//! A choice of lanes is a mask register, and packing is an instruction of its own. It packs into a
//! register, which is then stored whole: packing straight to memory is microcoded on Zen 4.

use std::arch::x86_64::*;

use super::lanes::{self, Lanes, Stacks};
use crate::attacks::Attacks;
use crate::kernel::{Avx512, with_avx512};
use crate::tally::Tally;

impl Lanes for Avx512 {
    type Vector = __m512i;
    type Selection = __mmask16;
    type Packing = __mmask16;
    const COUNT: usize = 16;

    with_avx512! {
        fn count(
            cpu,
            rows: &[u32],
            row: usize,
            positions: &[Attacks],
            stacks: &mut Stacks,
        ) -> Tally {
            lanes::count(cpu, rows, row, positions, stacks)
        }

        fn splat(_, mask: u32) -> __m512i { _mm512_set1_epi32(mask.cast_signed()) }

        fn load(_, from: &[u32]) -> __m512i {
            let from: &[u32; 16] = from.first_chunk().expect("the stacks have room for a vector");
            // SAFETY: `from` is as large as the vector.
            unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
        }

        fn store(_, vector: __m512i, to: &mut [u32]) {
            let to: &mut [u32; 16] = to.first_chunk_mut().expect("the stacks have room for a vector");
            // SAFETY: `to` is as large as the vector.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
        }

        fn and(_, a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        fn or(_, a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        fn without(_, a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        fn left(_, a: __m512i) -> __m512i { _mm512_slli_epi32::<1>(a) }
        fn right(_, a: __m512i) -> __m512i { _mm512_srli_epi32::<1>(a) }

        fn lowest(_, a: __m512i) -> __m512i {
            _mm512_and_si512(a, _mm512_sub_epi32(_mm512_setzero_si512(), a))
        }

        fn equal(_, a: __m512i, b: __m512i) -> __mmask16 { _mm512_cmpeq_epi32_mask(a, b) }
        fn either(_, a: __mmask16, b: __mmask16) -> __mmask16 { a | b }
        fn but_not(_, a: __mmask16, b: __mmask16) -> __mmask16 { a & !b }
        fn clear(_, a: __m512i, lanes: __mmask16) -> __m512i { _mm512_maskz_mov_epi32(!lanes, a) }

        fn increment(_, a: __m512i, lanes: __mmask16) -> __m512i {
            _mm512_mask_add_epi32(a, lanes, a, _mm512_set1_epi32(1))
        }

        fn packing(_, a: __m512i) -> (__mmask16, usize) {
            let chosen = _mm512_test_epi32_mask(a, a);
            (chosen, chosen.count_ones() as usize)
        }

        fn pack(_, a: __m512i, packing: __mmask16) -> __m512i {
            _mm512_maskz_compress_epi32(packing, a)
        }
    }
}
