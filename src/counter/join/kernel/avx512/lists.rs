//! AVX-512 lists: keys are compressed by a mask register.

use super::super::vectors::lists::Sort;
use crate::kernel::{Avx512, with_avx512};
use std::arch::x86_64::*;

impl Sort<u32, 16> for Avx512 {
    /// The bit in each lane.
    type Bit = __m512i;
    /// The keys as they are, and which of them have the bit.
    type Sorted = (__m512i, __mmask16);

    with_avx512! {
        fn bit(_, number: u32) -> __m512i { _mm512_set1_epi32((1u32 << number) as i32) }

        fn sort(_, keys: &[u32; 16], bit: __m512i) -> (__m512i, __mmask16) {
            // SAFETY: the source has the size of a vector.
            let v = unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) };
            (v, _mm512_test_epi32_mask(v, bit))
        }

        fn zeros(_, sorted: (__m512i, __mmask16)) -> usize { (!sorted.1).count_ones() as usize }
        fn ones(_, sorted: (__m512i, __mmask16)) -> usize { sorted.1.count_ones() as usize }

        fn store_zeros(_, sorted: (__m512i, __mmask16), to: &mut [u32; 16]) {
            let (v, ones) = sorted;
            let zeros = _mm512_maskz_compress_epi32(!ones, v);
            // SAFETY: the target has the size of a vector.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), zeros) };
        }
    }

    #[inline(always)]
    unsafe fn store_ones(self, sorted: (__m512i, __mmask16), to: &mut [u32]) {
        let (v, ones) = sorted;
        let count = ones.count_ones() as usize;
        // SAFETY: `self` proves that this CPU has the instructions; the first `count` lanes, of at
        // most 16, are written to the last places, of at least 16.
        unsafe {
            let to = to.as_mut_ptr().add(to.len() - count);
            let first = ((1u32 << count) - 1) as __mmask16;
            _mm512_mask_storeu_epi32(to.cast(), first, _mm512_maskz_compress_epi32(ones, v));
        }
    }
}

impl Sort<u64, 8> for Avx512 {
    /// The bit in each lane.
    type Bit = __m512i;
    /// The keys as they are, and which of them have the bit.
    type Sorted = (__m512i, __mmask8);

    with_avx512! {
        fn bit(_, number: u32) -> __m512i { _mm512_set1_epi64((1u64 << number) as i64) }

        fn sort(_, keys: &[u64; 8], bit: __m512i) -> (__m512i, __mmask8) {
            // SAFETY: the source has the size of a vector.
            let v = unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) };
            (v, _mm512_test_epi64_mask(v, bit))
        }

        fn zeros(_, sorted: (__m512i, __mmask8)) -> usize { (!sorted.1).count_ones() as usize }
        fn ones(_, sorted: (__m512i, __mmask8)) -> usize { sorted.1.count_ones() as usize }

        fn store_zeros(_, sorted: (__m512i, __mmask8), to: &mut [u64; 8]) {
            let (v, ones) = sorted;
            let zeros = _mm512_maskz_compress_epi64(!ones, v);
            // SAFETY: the target has the size of a vector.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), zeros) };
        }
    }

    #[inline(always)]
    unsafe fn store_ones(self, sorted: (__m512i, __mmask8), to: &mut [u64]) {
        let (v, ones) = sorted;
        let count = ones.count_ones() as usize;
        // SAFETY: `self` proves that this CPU has the instructions; the first `count` lanes, of at
        // most 8, are written to the last places, of at least 8.
        unsafe {
            let to = to.as_mut_ptr().add(to.len() - count);
            let first = ((1u32 << count) - 1) as __mmask8;
            _mm512_mask_storeu_epi64(to.cast(), first, _mm512_maskz_compress_epi64(ones, v));
        }
    }
}
