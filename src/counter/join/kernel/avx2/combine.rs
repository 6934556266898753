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
//! twice as slow at 8 by 8).

use super::super::{Addition, add_to_each, opposite};
use super::zeros_first;
use crate::counter::join::lists::Lists;
use std::arch::x86_64::*;

/// Keys of the shorter list that stay in registers.
const HELD: usize = 8;

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn combine_opposite(few: &Lists, many: &Lists, groups: &[u32], out: &mut Vec<u64>) {
    opposite(few, many, groups, out, |few, many, out| append(few, many, out));
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn add_queen(addition: Addition, longer: &mut Lists) {
    add_to_each(addition, longer, |few, many, out| append(few, many, out));
}

/// Appends `a | b` for every `a` of `few` and `b` of `many` that share no bit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn append(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    out.reserve(few.len() * many.len() + 4);
    let (vectors, rest) = many.as_chunks::<4>();
    for few in few.chunks(HELD) {
        match *few {
            [a] => append_vectors([a], vectors, out),
            [a, b] => append_vectors([a, b], vectors, out),
            [a, b, c] => append_vectors([a, b, c], vectors, out),
            [a, b, c, d] => append_vectors([a, b, c, d], vectors, out),
            [a, b, c, d, e] => append_vectors([a, b, c, d, e], vectors, out),
            [a, b, c, d, e, f] => append_vectors([a, b, c, d, e, f], vectors, out),
            [a, b, c, d, e, f, g] => append_vectors([a, b, c, d, e, f, g], vectors, out),
            [a, b, c, d, e, f, g, h] => append_vectors([a, b, c, d, e, f, g, h], vectors, out),
            _ => unreachable!("chunks of 1 to 8"),
        }
    }
    // Lists are padded to whole vectors, so there is a rest for other callers only.
    for (&a, &b) in few.iter().flat_map(|a| rest.iter().map(move |b| (a, b))) {
        if a & b == 0 {
            out.push(a | b);
        }
    }
}

/// The same for a known number of keys. There must be room for all pairs and a vector more.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn append_vectors<const N: usize>(few: [u64; N], vectors: &[[u64; 4]], out: &mut Vec<u64>) {
    let mut end = out.len();
    assert!(out.capacity() >= end + 4 * N * vectors.len() + 4);
    let base = out.as_mut_ptr();
    let mut lanes = [_mm256_setzero_si256(); N];
    for (lanes, key) in lanes.iter_mut().zip(few) {
        *lanes = _mm256_set1_epi64x(key as i64);
    }
    for vector in vectors {
        // SAFETY: the source has the size of a vector.
        let keys = unsafe { _mm256_loadu_si256(vector.as_ptr().cast()) };
        for a in lanes {
            let fits = _mm256_cmpeq_epi64(_mm256_and_si256(a, keys), _mm256_setzero_si256());
            let meets = _mm256_movemask_pd(_mm256_castsi256_pd(fits)) ^ 15;
            // All lanes of `a` are the same, so it needs no packing.
            let packed = _mm256_or_si256(a, zeros_first(keys, meets));
            // SAFETY: `end` has grown by at most the pairs tested, so there is room for a vector.
            unsafe { _mm256_storeu_si256(base.add(end).cast(), packed) };
            end += 4 - meets.count_ones() as usize;
        }
    }
    // SAFETY: the first `end` keys are written, and fit the capacity.
    unsafe { out.set_len(end) };
}
