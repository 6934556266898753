//! AVX-512 leaf: rows of one vector; each has its set bits counted by an instruction.

use super::super::Leaf;
use super::super::vectors::leaf::{self, Chunks, Rows};
use crate::kernel::{Avx512, with_avx512};
use std::arch::x86_64::*;

/// Lanes of a vector.
const LANES: usize = 16;

/// The body of [`Primitives::leaf`](super::super::Primitives::leaf).
#[inline(always)]
pub(super) fn count(cpu: Avx512, leaf: Leaf<'_>) {
    let leaf = leaf.narrowed();
    match leaf.mask.count_ones().div_ceil(8) {
        0..=2 => leaf::count::<_, LANES, 1, 2>(cpu, leaf),
        3 => leaf::count::<_, LANES, 1, 3>(cpu, leaf),
        _ => leaf::count::<_, LANES, 1, 4>(cpu, leaf),
    }
}

impl Rows<LANES> for Avx512 {
    type Vector = __m512i;

    with_avx512! {
        fn rows(cpu, block: &[u32]) -> [__m512i; 32] { leaf::transpose(cpu, block) }

        fn load(_, lanes: &[u32; LANES]) -> __m512i {
            // SAFETY: the source has the size of a vector.
            unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
        }

        fn swap(_, a: __m512i, b: __m512i, size: u32, mask: u32) -> [__m512i; 2] {
            let shift = _mm_cvtsi32_si128(size as i32);
            let (moved, mask) = (_mm512_srl_epi32(a, shift), _mm512_set1_epi32(mask as i32));
            // (moved ^ b) & mask
            let changed = _mm512_ternarylogic_epi32::<0x28>(moved, b, mask);
            [_mm512_xor_si512(a, _mm512_sll_epi32(changed, shift)), _mm512_xor_si512(b, changed)]
        }

        fn full(_) -> __m512i { _mm512_set1_epi8(-1) }
        fn and(_, a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        fn without(_, a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
    }

    #[inline(always)]
    fn scan<const W: usize, const C: usize>(
        self,
        chunks: &Chunks<'_, Self, LANES, W, C>,
        keys: &[u32],
    ) -> u64 {
        // Two sums, so that an addition need not wait for the last one.
        let mut sums = [self.zero(); 2];
        let (pairs, rest) = keys.as_chunks::<2>();
        for pair in pairs {
            for (sum, &key) in sums.iter_mut().zip(pair) {
                for fits in chunks.fits(key) {
                    *sum = self.add_ones(*sum, fits);
                }
            }
        }
        for &key in rest {
            for fits in chunks.fits(key) {
                sums[0] = self.add_ones(sums[0], fits);
            }
        }
        self.sum(sums)
    }
}

impl Avx512 {
    with_avx512! {
        fn zero(_) -> __m512i { _mm512_setzero_si512() }

        /// Adds the number of set bits of each 64-bit lane.
        fn add_ones(_, sum: __m512i, v: __m512i) -> __m512i {
            _mm512_add_epi64(sum, _mm512_popcnt_epi64(v))
        }

        /// The sum of all 64-bit lanes.
        fn sum(_, sums: [__m512i; 2]) -> u64 {
            _mm512_reduce_add_epi64(_mm512_add_epi64(sums[0], sums[1])) as u64
        }
    }
}
