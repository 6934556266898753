//! AVX2 list making: every key of one list against every key of another, four at a time.
//!
//! Up to eight keys of the shorter list stay in registers while the longer one is read once. The
//! keys that fit are packed to the front of a vector, which is stored whole:
//!
//! ```text
//! keys of many    k3  k2  k1  k0
//! & a == 0?       no  yes no  yes      fit = 0101
//! order[0101]     ..  ..  k2  k0       | a, stored at the end of the output, which grows by 2
//! ```
//!
//! Not kept: masks of 32 pairs, then copying hit by hit (+5 % at 40 by 40 keys, -27 % at 256 by 256,
//! twice as slow at 8 by 8); the rest by `flat_map`, whose closures, compiled for the kernel, cannot be
//! inlined into the iterator (all of n = 17 +25 to +36 %, n = 18 +4 %, although there is no rest).

use super::super::super::room::reserve;
use crate::kernel::{Avx2, with_avx2};
use std::arch::x86_64::*;

/// Keys of the shorter list that stay in registers.
const HELD: usize = 8;

/// The body of [`Primitives::combine`](super::super::Primitives::combine).
#[inline(always)]
pub(super) fn append(cpu: Avx2, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    reserve(out, few.len() * many.len() + 4);
    let (vectors, rest) = many.as_chunks::<4>();
    for few in few.chunks(HELD) {
        match *few {
            [a] => append_vectors(cpu, [a], vectors, out),
            [a, b] => append_vectors(cpu, [a, b], vectors, out),
            [a, b, c] => append_vectors(cpu, [a, b, c], vectors, out),
            [a, b, c, d] => append_vectors(cpu, [a, b, c, d], vectors, out),
            [a, b, c, d, e] => append_vectors(cpu, [a, b, c, d, e], vectors, out),
            [a, b, c, d, e, f] => append_vectors(cpu, [a, b, c, d, e, f], vectors, out),
            [a, b, c, d, e, f, g] => append_vectors(cpu, [a, b, c, d, e, f, g], vectors, out),
            [a, b, c, d, e, f, g, h] => append_vectors(cpu, [a, b, c, d, e, f, g, h], vectors, out),
            _ => unreachable!("chunks of 1 to 8"),
        }
    }
    // Lists are padded to whole vectors, so there is a rest for other callers only.
    for &b in rest {
        for &a in few {
            if a & b == 0 {
                out.push(a | b);
            }
        }
    }
}

/// The same for a known number of keys. There must be room for all pairs and a vector more.
#[inline(always)]
fn append_vectors<const N: usize>(
    cpu: Avx2,
    few: [u64; N],
    vectors: &[[u64; 4]],
    out: &mut Vec<u64>,
) {
    let mut end = out.len();
    assert!(out.capacity() >= end + 4 * N * vectors.len() + 4);
    let base = out.as_mut_ptr();
    let mut held = [cpu.splat(0); N];
    for (held, key) in held.iter_mut().zip(few) {
        *held = cpu.splat(key);
    }
    for vector in vectors {
        let keys = cpu.load(vector);
        for a in held {
            let (packed, fit) = cpu.join(a, keys);
            // SAFETY: `end` has grown by at most the pairs tested, so there is room for a vector.
            unsafe { base.add(end).cast::<__m256i>().write_unaligned(packed) };
            end += fit;
        }
    }
    // SAFETY: the first `end` keys are written, and fit the capacity.
    unsafe { out.set_len(end) };
}

impl Avx2 {
    with_avx2! {
        fn splat(_, key: u64) -> __m256i { _mm256_set1_epi64x(key as i64) }

        fn load(_, keys: &[u64; 4]) -> __m256i {
            // SAFETY: the source has the size of a vector.
            unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) }
        }

        /// `a | b` for each `b` of `keys` that shares no bit with `a`, packed to the front, and
        /// their number. All lanes of `a` are the same, so it needs no packing.
        fn join(cpu, a: __m256i, keys: __m256i) -> (__m256i, usize) {
            let fits = _mm256_cmpeq_epi64(_mm256_and_si256(a, keys), _mm256_setzero_si256());
            let meets = _mm256_movemask_pd(_mm256_castsi256_pd(fits)) ^ 15;
            let packed = _mm256_or_si256(a, cpu.zeros_first(keys, meets));
            (packed, 4 - meets.count_ones() as usize)
        }
    }
}
