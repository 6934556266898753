//! AVX2 leaf: rows of one vector (block up to 256 keys) or two; carry-save adders count the bits.
//!
//! All tables of a leaf of 28 bits and 512 keys fill 32 KiB.
//!
//! Measured on Zen 3 with an idle core, in cycles: 1000 to 2000 to build, then 3.4 (one vector) or
//! 5.2 (two) per key of a list with four chunks, which is 29 instructions. Not kept, with the time
//! of all of `compatible`: rows of four vectors (n = 18 and 20 +11 %), of one only (n = 20 +13 %),
//! five chunks for short lists (none or slower), shifts and masks of variable width instead of
//! `pdep` (n = 18 +10 %), dropping bits that no key of the lists has (n = 18 +1 %, n = 24 -1 %),
//! counting each vector with `vpshufb` instead of adders (n = 18 +15 %, n = 20 +10 %).

use super::super::Leaf;
use super::super::vectors::leaf::{self, Chunks, Rows};
use crate::kernel::{Avx2, with_avx2};
use std::arch::x86_64::*;

/// Lanes of a vector.
const LANES: usize = 8;

/// The body of [`Primitives::leaf`](super::super::Primitives::leaf).
#[inline(always)]
pub(super) fn count(cpu: Avx2, leaf: Leaf<'_>) {
    let leaf = leaf.narrowed();
    match (leaf.block.len() <= 32 * LANES, leaf.mask.count_ones().div_ceil(8)) {
        (true, 0 | 1) => leaf::count::<_, LANES, 1, 1>(cpu, leaf),
        (true, 2) => leaf::count::<_, LANES, 1, 2>(cpu, leaf),
        (true, 3) => leaf::count::<_, LANES, 1, 3>(cpu, leaf),
        (true, _) => leaf::count::<_, LANES, 1, 4>(cpu, leaf),
        (false, 0 | 1) => leaf::count::<_, LANES, 2, 1>(cpu, leaf),
        (false, 2) => leaf::count::<_, LANES, 2, 2>(cpu, leaf),
        (false, 3) => leaf::count::<_, LANES, 2, 3>(cpu, leaf),
        (false, _) => leaf::count::<_, LANES, 2, 4>(cpu, leaf),
    }
}

impl Rows<LANES> for Avx2 {
    type Vector = __m256i;

    with_avx2! {
        fn rows(cpu, block: &[u32]) -> [__m256i; 32] { leaf::transpose(cpu, block) }

        fn load(_, lanes: &[u32; LANES]) -> __m256i {
            // SAFETY: the source has the size of a vector.
            unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
        }

        fn swap(_, a: __m256i, b: __m256i, size: u32, mask: u32) -> [__m256i; 2] {
            let shift = _mm_cvtsi32_si128(size as i32);
            let differ = _mm256_xor_si256(_mm256_srl_epi32(a, shift), b);
            let changed = _mm256_and_si256(differ, _mm256_set1_epi32(mask as i32));
            [_mm256_xor_si256(a, _mm256_sll_epi32(changed, shift)), _mm256_xor_si256(b, changed)]
        }

        fn full(_) -> __m256i { _mm256_set1_epi8(-1) }
        fn and(_, a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        fn without(_, a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
    }

    #[inline(always)]
    fn scan<const W: usize, const C: usize>(
        self,
        chunks: &Chunks<'_, Self, LANES, W, C>,
        keys: &[u32],
    ) -> u64 {
        let mut sum = Adder::new(self);
        let groups = keys.chunks_exact(8 / W);
        let rest = groups.remainder();
        for group in groups {
            let mut vectors = [self.zero(); 8];
            for (vectors, &key) in vectors.chunks_exact_mut(W).zip(group) {
                vectors.copy_from_slice(&chunks.fits(key));
            }
            sum.add(self, vectors);
        }
        for &key in rest {
            for fits in chunks.fits(key) {
                sum.rest = self.add(sum.rest, self.count_ones(fits));
            }
        }
        sum.total(self)
    }
}

/// Adds up the set bits of vectors, eight vectors at a time: three levels of carry-save adders
/// count by position, and only every eighth vector's worth of carries is counted for good.
struct Adder {
    ones: __m256i,
    twos: __m256i,
    fours: __m256i,
    /// Eights counted for good, per 64-bit lane.
    eights: __m256i,
    /// Single bits counted for good, per 64-bit lane.
    rest: __m256i,
}

impl Adder {
    #[inline(always)]
    fn new(cpu: Avx2) -> Self {
        let zero = cpu.zero();
        Adder { ones: zero, twos: zero, fours: zero, eights: zero, rest: zero }
    }

    #[inline(always)]
    fn add(&mut self, cpu: Avx2, [a, b, c, d, e, f, g, h]: [__m256i; 8]) {
        let a = cpu.carry_save(&mut self.ones, a, b);
        let b = cpu.carry_save(&mut self.ones, c, d);
        let c = cpu.carry_save(&mut self.ones, e, f);
        let d = cpu.carry_save(&mut self.ones, g, h);
        let a = cpu.carry_save(&mut self.twos, a, b);
        let b = cpu.carry_save(&mut self.twos, c, d);
        let carry = cpu.carry_save(&mut self.fours, a, b);
        self.eights = cpu.add(self.eights, cpu.count_ones(carry));
    }

    #[inline(always)]
    fn total(self, cpu: Avx2) -> u64 {
        let mut sum = self.eights;
        for bits in [self.fours, self.twos, self.ones] {
            sum = cpu.add(cpu.add(sum, sum), cpu.count_ones(bits));
        }
        cpu.sum(cpu.add(sum, self.rest))
    }
}

impl Avx2 {
    with_avx2! {
        /// The bits of `mask` of `key` in the places of the set bits of `fields`.
        pub(in super::super) fn spread(_, key: u32, mask: u32, fields: u64) -> u64 {
            _pdep_u64(u64::from(_pext_u32(key, mask)), fields)
        }

        fn zero(_) -> __m256i { _mm256_setzero_si256() }

        /// The sums of 64-bit lanes.
        fn add(_, a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi64(a, b) }

        /// The sum of all 64-bit lanes.
        fn sum(_, v: __m256i) -> u64 {
            let halves = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            (_mm_cvtsi128_si64(halves) + _mm_extract_epi64::<1>(halves)) as u64
        }

        /// Adds `b` and `c` to `sum` at each position; returns the carries.
        fn carry_save(_, sum: &mut __m256i, b: __m256i, c: __m256i) -> __m256i {
            let half = _mm256_xor_si256(*sum, b);
            let carry = _mm256_or_si256(_mm256_and_si256(*sum, b), _mm256_and_si256(half, c));
            *sum = _mm256_xor_si256(half, c);
            carry
        }

        /// The number of set bits of each 64-bit lane.
        fn count_ones(_, v: __m256i) -> __m256i {
            let counts = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                2, 3, 3, 4,
            );
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(v, nibble));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(v), nibble);
            let high = _mm256_shuffle_epi8(counts, high);
            _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
        }
    }
}
