//! AVX-512 list making: every key of one list against every key of another, eight at a time.
//!
//! Each vector of the longer list stays in a register while the shorter one is read; the last one
//! is loaded under a mask, since lists are padded to four keys only. AVX2, which has no such loads
//! and a table to look up per vector, holds the keys of the shorter list instead.

use super::super::super::room::reserve;
use crate::kernel::{Avx512, with_avx512};
use std::arch::x86_64::*;

/// The body of [`Primitives::combine`](super::super::Primitives::combine).
#[inline(always)]
pub(super) fn append(cpu: Avx512, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    reserve(out, few.len() * many.len() + 8);
    let base = out.as_mut_ptr();
    let mut end = out.len();
    for keys in many.chunks(8) {
        let present = 0xFF_u8 >> (8 - keys.len());
        // SAFETY: `cpu` proves that this CPU has the instruction; the mask has a bit for each key
        // there is, and others are not read.
        let lanes = unsafe { _mm512_maskz_loadu_epi64(present, keys.as_ptr().cast()) };
        for &a in few {
            let (packed, fit) = cpu.join(a, lanes, present);
            // SAFETY: `end` has grown by at most the pairs tested, so there is room for a vector.
            unsafe { base.add(end).cast::<__m512i>().write_unaligned(packed) };
            end += fit;
        }
    }
    // SAFETY: the first `end` keys are written, and fit the capacity.
    unsafe { out.set_len(end) };
}

impl Avx512 {
    with_avx512! {
        /// `a | b` for each key `b` of the lanes `present` that shares no bit with `a`, packed to the
        /// front, and their number.
        fn join(_, a: u64, keys: __m512i, present: __mmask8) -> (__m512i, usize) {
            let a = _mm512_set1_epi64(a as i64);
            let fits = _mm512_mask_testn_epi64_mask(present, a, keys);
            let packed = _mm512_maskz_compress_epi64(fits, _mm512_or_si512(a, keys));
            (packed, fits.count_ones() as usize)
        }
    }
}
