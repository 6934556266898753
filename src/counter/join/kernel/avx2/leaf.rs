//! AVX2 leaf: counts the pairs of a block of at most 512 keys and of lists of any length.
//!
//! The block is turned into one row per bit, with a bit per key, then into a table per chunk of at
//! most eight bits: entry `i` of a chunk has a bit for every key of the block that shares none of
//! the bits `i`. The keys that fit a key of a list are the AND of one entry per chunk:
//!
//! ```text
//! key of a list   0110 1000        chunk 0 (1000): 1110 0111 …   keys of the block without bit 3
//!                  |    |          chunk 1 (0110): 1011 0110 …   keys without bits 5 and 6
//!                  1    0                 AND      1010 0110 …   added up by carry-save adders
//! ```
//!
//! The rows have one vector (block up to 256) or two. All tables of a leaf of 28 bits and 512 keys
//! fill 32 KiB. The order of keys within a row is whatever the transposition makes it, the same in
//! each row.
//!
//! Measured on Zen 3 with an idle core, in cycles: 1000 to 2000 to build, then 3.4 (one vector) or
//! 5.2 (two) per key of a list with four chunks, which is 29 instructions. Not kept, with the time
//! of all of `compatible`: rows of four vectors (n = 18 and 20 +11 %), of one only (n = 20 +13 %),
//! five chunks for short lists (none or slower), shifts and masks of variable width instead of
//! `pdep` (n = 18 +10 %), dropping bits that no key of the lists has (n = 18 +1 %, n = 24 -1 %),
//! counting each vector with `vpshufb` instead of adders (n = 18 +15 %, n = 20 +10 %).

use super::super::{LEAF, Tables};
use std::arch::x86_64::*;

/// A bit for each of up to `256 W` keys.
type Row<const W: usize> = [__m256i; W];

/// A row for each value of a chunk.
type Table<const W: usize> = [Row<W>; 256];

/// Adds to `totals` the pairs of `block` and each list that share no bit of `mask`.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn count(
    block: &[u32],
    lists: [&[u32]; 3],
    mask: u32,
    tables: &mut Tables,
    totals: &mut [u64; 3],
) {
    assert!(block.len() <= LEAF);
    let mask = union(block) & mask;
    match (block.len() <= 256, mask.count_ones().div_ceil(8)) {
        (true, 0 | 1) => count_sized::<1, 1>(block, lists, mask, tables, totals),
        (true, 2) => count_sized::<1, 2>(block, lists, mask, tables, totals),
        (true, 3) => count_sized::<1, 3>(block, lists, mask, tables, totals),
        (true, _) => count_sized::<1, 4>(block, lists, mask, tables, totals),
        (false, 0 | 1) => count_sized::<2, 1>(block, lists, mask, tables, totals),
        (false, 2) => count_sized::<2, 2>(block, lists, mask, tables, totals),
        (false, 3) => count_sized::<2, 3>(block, lists, mask, tables, totals),
        (false, _) => count_sized::<2, 4>(block, lists, mask, tables, totals),
    }
}

/// [`count`] for rows of `W` vectors and `C` chunks.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn count_sized<const W: usize, const C: usize>(
    block: &[u32],
    lists: [&[u32]; 3],
    mask: u32,
    tables: &mut Tables,
    totals: &mut [u64; 3],
) {
    const { assert!(W <= 2 && C <= 4) };
    // SAFETY: four tables of 256 rows of 64 bytes, aligned to 64, have room for these; any bytes
    // are a vector.
    let tables: &mut [Table<W>; C] = unsafe { &mut *(&raw mut tables.0).cast() };
    let fields = build(block, mask, tables);
    for (total, keys) in totals.iter_mut().zip(lists) {
        *total += scan(keys, mask, fields, tables);
    }
}

/// Fills the tables; returns the bits to which the bits of `mask` go, when moved together, so that
/// the `c`-th 16 bits are an offset in bytes into the `c`-th table.
#[target_feature(enable = "avx2")]
#[inline]
fn build<const W: usize, const C: usize>(
    block: &[u32],
    mut mask: u32,
    tables: &mut [Table<W>; C],
) -> u64 {
    let mut rows = [[_mm256_setzero_si256(); 32]; W];
    let mut first = [_mm256_setzero_si256(); W];
    for (w, keys) in block.chunks(256).enumerate() {
        transpose(keys, &mut rows[w]);
        first[w] = present(keys.len());
    }
    let mut fields = 0;
    for (c, table) in tables.iter_mut().enumerate() {
        let width = mask.count_ones().div_ceil((C - c) as u32);
        fields |= (((1 << width) - 1) * size_of::<Row<W>>() as u64) << (16 * c);
        table[0] = first;
        first = [_mm256_set1_epi8(-1); W];
        for k in 0..width {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let (known, new) = table.split_at_mut(1 << k);
            for (new, known) in new.iter_mut().zip(known) {
                for w in 0..W {
                    new[w] = _mm256_andnot_si256(rows[w][bit], known[w]);
                }
            }
        }
    }
    fields
}

/// The pairs of the block and `keys`.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn scan<const W: usize, const C: usize>(
    keys: &[u32],
    mask: u32,
    fields: u64,
    tables: &[Table<W>; C],
) -> u64 {
    let fits = |key: u32| -> Row<W> {
        let offsets = _pdep_u64(u64::from(_pext_u32(key, mask)), fields);
        let mut fits = [_mm256_set1_epi8(-1); W];
        for (c, table) in tables.iter().enumerate() {
            let offset = usize::from((offsets >> (16 * c)) as u16);
            // SAFETY: the bits of `fields` keep the offset at one of the 256 rows.
            let row: &Row<W> = unsafe { &*table.as_ptr().byte_add(offset) };
            for w in 0..W {
                fits[w] = _mm256_and_si256(fits[w], row[w]);
            }
        }
        fits
    };
    let mut sum = Adder::new();
    let rest = if W == 1 {
        let (groups, rest) = keys.as_chunks::<8>();
        for g in groups {
            let pair = |i: usize| [fits(g[i])[0], fits(g[i + 1])[0]];
            sum.add([pair(0), pair(2), pair(4), pair(6)]);
        }
        rest
    } else {
        let (groups, rest) = keys.as_chunks::<4>();
        for g in groups {
            let pair = |i: usize| {
                let fits = fits(g[i]);
                [fits[0], fits[1]]
            };
            sum.add([pair(0), pair(1), pair(2), pair(3)]);
        }
        rest
    };
    for &key in rest {
        for fits in fits(key) {
            sum.add_one(fits);
        }
    }
    sum.total()
}

/// All bits that occur in the keys.
#[target_feature(enable = "avx2")]
#[inline]
fn union(keys: &[u32]) -> u32 {
    let mut all = 0;
    for key in keys {
        all |= key;
    }
    all
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
    #[target_feature(enable = "avx2")]
    #[inline]
    fn new() -> Self {
        let zero = _mm256_setzero_si256();
        Adder { ones: zero, twos: zero, fours: zero, eights: zero, rest: zero }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn add(&mut self, vectors: [[__m256i; 2]; 4]) {
        let [a, b, c, d] = vectors;
        let (a, b) =
            (carry_save(&mut self.ones, a[0], a[1]), carry_save(&mut self.ones, b[0], b[1]));
        let (c, d) =
            (carry_save(&mut self.ones, c[0], c[1]), carry_save(&mut self.ones, d[0], d[1]));
        let (a, c) = (carry_save(&mut self.twos, a, b), carry_save(&mut self.twos, c, d));
        let carry = carry_save(&mut self.fours, a, c);
        self.eights = _mm256_add_epi64(self.eights, count_ones(carry));
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn add_one(&mut self, vector: __m256i) {
        self.rest = _mm256_add_epi64(self.rest, count_ones(vector));
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn total(self) -> u64 {
        let twice = |sum| _mm256_add_epi64(sum, sum);
        let mut sum = twice(self.eights);
        sum = twice(_mm256_add_epi64(sum, count_ones(self.fours)));
        sum = twice(_mm256_add_epi64(sum, count_ones(self.twos)));
        sum = _mm256_add_epi64(sum, count_ones(self.ones));
        sum = _mm256_add_epi64(sum, self.rest);
        let halves = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        (_mm_cvtsi128_si64(halves) + _mm_extract_epi64::<1>(halves)) as u64
    }
}

/// Adds `b` and `c` to `sum` at each position; returns the carries.
#[target_feature(enable = "avx2")]
#[inline]
fn carry_save(sum: &mut __m256i, b: __m256i, c: __m256i) -> __m256i {
    let half = _mm256_xor_si256(*sum, b);
    let carry = _mm256_or_si256(_mm256_and_si256(*sum, b), _mm256_and_si256(half, c));
    *sum = _mm256_xor_si256(half, c);
    carry
}

/// The number of set bits of each 64-bit lane.
#[target_feature(enable = "avx2")]
#[inline]
fn count_ones(v: __m256i) -> __m256i {
    let counts = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3,
        3, 4,
    );
    let nibble = _mm256_set1_epi8(15);
    let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(v, nibble));
    let high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16::<4>(v), nibble));
    _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
}

/// Makes one vector per bit of up to 256 keys: bit `i` of 32-bit lane `j` belongs to key `8 i + j`.
#[target_feature(enable = "avx2")]
fn transpose(keys: &[u32], rows: &mut [__m256i; 32]) {
    // SAFETY: both types are 1024 bytes of any value.
    let lanes: &mut [u32; 256] = unsafe { &mut *(&raw mut *rows).cast() };
    lanes[..keys.len()].copy_from_slice(keys);
    lanes[keys.len()..].fill(0);
    // eight 32x32 matrices at once, lane j of rows[i] being row i of matrix j:
    // swap off-diagonal squares of halving size
    swap::<16>(rows, 0x0000_FFFF);
    swap::<8>(rows, 0x00FF_00FF);
    swap::<4>(rows, 0x0F0F_0F0F);
    swap::<2>(rows, 0x3333_3333);
    swap::<1>(rows, 0x5555_5555);
}

/// Swaps the upper right and the lower left square of each group of `2 SIZE` rows.
#[target_feature(enable = "avx2")]
#[inline]
fn swap<const SIZE: i32>(rows: &mut [__m256i; 32], mask: u32) {
    let mask = _mm256_set1_epi32(mask as i32);
    let size = SIZE as usize;
    for i in 0..32 {
        if i & size != 0 {
            continue;
        }
        let (a, b) = (rows[i], rows[i + size]);
        let changed = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi32::<SIZE>(a), b), mask);
        rows[i + size] = _mm256_xor_si256(b, changed);
        rows[i] = _mm256_xor_si256(a, _mm256_slli_epi32::<SIZE>(changed));
    }
}

/// The row that has a bit for each of the first `len` keys, in the order of [`transpose`].
#[target_feature(enable = "avx2")]
fn present(len: usize) -> __m256i {
    // lane j holds the keys j, j + 8, j + 16, …
    let mut lanes = [0u32; 8];
    for (j, lane) in lanes.iter_mut().enumerate() {
        *lane = ((1u64 << ((len + 7 - j) / 8)) - 1) as u32;
    }
    // SAFETY: both types are 32 bytes of any value.
    unsafe { std::mem::transmute(lanes) }
}
