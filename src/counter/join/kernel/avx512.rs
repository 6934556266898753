//! AVX-512 kernel: compress instead of tables of lane orders, three-way logic and population counts
//! in the leaf.
//!
//! The leaf is that of the AVX2 kernel with rows of one 512-bit vector. Keys are compressed in
//! registers and stored whole or under a mask: compressing straight to memory is microcoded on Zen
//! 4.

use super::{Addition, LEAF, Primitives, SLACK, Sieve, Tables, add_to_each, opposite};
use crate::counter::join::lists::Lists;
use crate::kernel::Avx512;
use std::arch::x86_64::*;

impl Sieve<u32> for Avx512 {
    #[inline]
    fn filter(self, keys: &[u32], bit: u32, out: &mut [u32]) -> usize {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { filter32(keys, bit, out) }
    }

    #[inline]
    fn partition(self, keys: &[u32], bit: u32, out: &mut [u32]) -> usize {
        // SAFETY: as above.
        unsafe { partition32(keys, bit, out) }
    }

    #[inline]
    fn sample(self, keys: &[u32]) -> [u8; 64] {
        self.avx2().sample(keys)
    }
}

impl Sieve<u64> for Avx512 {
    #[inline]
    fn filter(self, keys: &[u64], bit: u32, out: &mut [u64]) -> usize {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { filter64(keys, bit, out) }
    }

    #[inline]
    fn partition(self, keys: &[u64], bit: u32, out: &mut [u64]) -> usize {
        // SAFETY: as above.
        unsafe { partition64(keys, bit, out) }
    }

    #[inline]
    fn sample(self, keys: &[u64]) -> [u8; 64] {
        self.avx2().sample(keys)
    }
}

impl Primitives for Avx512 {
    #[inline]
    fn union(self, keys: &[u64]) -> u64 {
        self.avx2().union(keys)
    }

    #[inline]
    fn narrow(self, keys: &[u64], mask: u64, out: &mut [u32]) {
        self.avx2().narrow(keys, mask, out);
    }

    #[inline]
    fn leaf(
        self,
        block: &[u32],
        lists: [&[u32]; 3],
        mask: u32,
        tables: &mut Tables,
        totals: &mut [u64; 3],
    ) {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { leaf(block, lists, mask, tables, totals) }
    }

    #[inline]
    fn combine(self, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        // SAFETY: as above.
        unsafe { append(few, many, out) }
    }

    #[inline]
    fn combine_opposite(self, few: &Lists, many: &Lists, groups: &[u32], out: &mut Vec<u64>) {
        // SAFETY: as above.
        unsafe { combine_opposite(few, many, groups, out) }
    }

    #[inline]
    fn add_queen(self, addition: Addition, longer: &mut Lists) {
        // SAFETY: as above.
        unsafe { add_queen(addition, longer) }
    }
}

macro_rules! lists {
    (
        $key:ty, $lanes:literal, $mask:ty, $filter:ident, $partition:ident,
        $set:ident, $test:ident, $compress:ident, $store:ident
    ) => {
        #[target_feature(enable = "avx512f,bmi1,bmi2,popcnt")]
        fn $filter(keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
            assert!(out.len() >= keys.len() + SLACK);
            let wanted = $set(1 << bit);
            let mut used = 0;
            let (vectors, rest) = keys.as_chunks::<$lanes>();
            for vector in vectors {
                // SAFETY: the source has the size of a vector.
                let v = unsafe { _mm512_loadu_si512(vector.as_ptr().cast()) };
                let zeros: $mask = !$test(v, wanted);
                // SAFETY: `used` is at most the number of keys read, and the assertion leaves room
                // for a vector more.
                unsafe {
                    _mm512_storeu_si512(out.as_mut_ptr().add(used).cast(), $compress(zeros, v))
                };
                used += zeros.count_ones() as usize;
            }
            for &key in rest {
                out[used] = key;
                used += usize::from(key >> bit & 1 == 0);
            }
            used
        }

        #[target_feature(enable = "avx512f,bmi1,bmi2,popcnt")]
        fn $partition(keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
            assert!(out.len() >= keys.len());
            let wanted = $set(1 << bit);
            let (mut front, mut back) = (0, keys.len());
            let (vectors, rest) = keys.as_chunks::<$lanes>();
            // the odd keys first: then the gap between `front` and `back` is a whole number of
            // vectors
            for &key in rest {
                out[front] = key;
                out[back - 1] = key;
                let one = usize::from(key >> bit & 1 == 1);
                front += 1 - one;
                back -= one;
            }
            for vector in vectors {
                // SAFETY: the source has the size of a vector.
                let v = unsafe { _mm512_loadu_si512(vector.as_ptr().cast()) };
                let ones: $mask = $test(v, wanted);
                let count = ones.count_ones() as usize;
                back -= count;
                // SAFETY: the gap has room for all keys not yet copied, so at least for this
                // vector: the first store is all within it, and the second writes the `count` keys
                // before its former end.
                unsafe {
                    _mm512_storeu_si512(out.as_mut_ptr().add(front).cast(), $compress(!ones, v));
                    let first = ((1u32 << count) - 1) as $mask;
                    $store(out.as_mut_ptr().add(back).cast(), first, $compress(ones, v));
                }
                front += $lanes - count;
            }
            front
        }
    };
}
lists!(
    u32,
    16,
    u16,
    filter32,
    partition32,
    set32,
    _mm512_test_epi32_mask,
    _mm512_maskz_compress_epi32,
    _mm512_mask_storeu_epi32
);
lists!(
    u64,
    8,
    u8,
    filter64,
    partition64,
    set64,
    _mm512_test_epi64_mask,
    _mm512_maskz_compress_epi64,
    _mm512_mask_storeu_epi64
);

/// A vector of sixteen times `value`.
#[target_feature(enable = "avx512f")]
#[inline]
fn set32(value: u32) -> __m512i {
    _mm512_set1_epi32(value as i32)
}

/// A vector of eight times `value`.
#[target_feature(enable = "avx512f")]
#[inline]
fn set64(value: u64) -> __m512i {
    _mm512_set1_epi64(value as i64)
}

#[target_feature(enable = "avx512f,popcnt")]
fn combine_opposite(few: &Lists, many: &Lists, groups: &[u32], out: &mut Vec<u64>) {
    opposite(few, many, groups, out, |few, many, out| append(few, many, out));
}

#[target_feature(enable = "avx512f,popcnt")]
fn add_queen(addition: Addition, longer: &mut Lists) {
    add_to_each(addition, longer, |few, many, out| append(few, many, out));
}

/// Appends `a | b` for every `a` of `few` and `b` of `many` that share no bit.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn append(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    out.reserve(few.len() * many.len() + 8);
    let base = out.as_mut_ptr();
    let mut end = out.len();
    for keys in many.chunks(8) {
        let present = 0xFF_u8 >> (8 - keys.len());
        // SAFETY: the mask has a bit for each key there is; others are not read.
        let lanes = unsafe { _mm512_maskz_loadu_epi64(present, keys.as_ptr().cast()) };
        for &a in few {
            let a = set64(a);
            let fits = _mm512_mask_testn_epi64_mask(present, a, lanes);
            let packed = _mm512_maskz_compress_epi64(fits, _mm512_or_si512(a, lanes));
            // SAFETY: `end` has grown by at most the pairs tested, so there is room for a vector.
            unsafe { _mm512_storeu_si512(base.add(end).cast(), packed) };
            end += fits.count_ones() as usize;
        }
    }
    // SAFETY: the first `end` keys are written, and fit the capacity.
    unsafe { out.set_len(end) };
}

/// A row for each value of a chunk of at most eight bits; a row has a bit for each key of the
/// block.
type Table = [__m512i; 256];

#[target_feature(enable = "avx512f,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn leaf(block: &[u32], lists: [&[u32]; 3], mask: u32, tables: &mut Tables, totals: &mut [u64; 3]) {
    assert!(block.len() <= LEAF);
    let mask = union(block) & mask;
    // SAFETY: four tables of 256 rows of 64 bytes, aligned to 64; any bytes are a vector.
    let tables: &mut [Table; 4] = unsafe { &mut *(&raw mut tables.0).cast() };
    match mask.count_ones().div_ceil(8) {
        0..=2 => leaf_sized::<2>(block, lists, mask, tables.first_chunk_mut().unwrap(), totals),
        3 => leaf_sized::<3>(block, lists, mask, tables.first_chunk_mut().unwrap(), totals),
        _ => leaf_sized::<4>(block, lists, mask, tables, totals),
    }
}

/// All bits that occur in the keys.
#[target_feature(enable = "avx512f")]
#[inline]
fn union(keys: &[u32]) -> u32 {
    let mut all = 0;
    for key in keys {
        all |= key;
    }
    all
}

#[target_feature(enable = "avx512f,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn leaf_sized<const C: usize>(
    block: &[u32],
    lists: [&[u32]; 3],
    mask: u32,
    tables: &mut [Table; C],
    totals: &mut [u64; 3],
) {
    let fields = build(block, mask, tables);
    for (total, keys) in totals.iter_mut().zip(lists) {
        *total += scan(keys, mask, fields, tables);
    }
}

/// Fills the tables; returns the bits to which the bits of `mask` go, when moved together, so that
/// the `c`-th 16 bits are an offset in bytes into the `c`-th table.
#[target_feature(enable = "avx512f")]
#[inline]
fn build<const C: usize>(block: &[u32], mut mask: u32, tables: &mut [Table; C]) -> u64 {
    let mut rows = [_mm512_setzero_si512(); 32];
    transpose(block, &mut rows);
    let mut first = present(block.len());
    let mut fields = 0;
    for (c, table) in tables.iter_mut().enumerate() {
        let width = mask.count_ones().div_ceil((C - c) as u32);
        fields |= (((1 << width) - 1) * size_of::<__m512i>() as u64) << (16 * c);
        table[0] = first;
        first = _mm512_set1_epi8(-1);
        for k in 0..width {
            let row = rows[mask.trailing_zeros() as usize];
            mask &= mask - 1;
            let (known, new) = table.split_at_mut(1 << k);
            for (new, &known) in new.iter_mut().zip(&*known) {
                *new = _mm512_andnot_si512(row, known);
            }
        }
    }
    fields
}

/// The pairs of the block and `keys`.
#[target_feature(enable = "avx512f,avx512vpopcntdq,bmi1,bmi2,popcnt")]
#[inline]
fn scan<const C: usize>(keys: &[u32], mask: u32, fields: u64, tables: &[Table; C]) -> u64 {
    let fits = |key: u32| {
        let offsets = _pdep_u64(u64::from(_pext_u32(key, mask)), fields);
        let row = |c: usize| {
            let offset = usize::from((offsets >> (16 * c)) as u16);
            // SAFETY: the bits of `fields` keep the offset at one of the 256 rows.
            unsafe { *tables[c].as_ptr().byte_add(offset) }
        };
        let and = |a, b, c| _mm512_ternarylogic_epi64::<0x80>(a, b, c);
        _mm512_popcnt_epi64(match C {
            2 => _mm512_and_si512(row(0), row(1)),
            3 => and(row(0), row(1), row(2)),
            _ => and(_mm512_and_si512(row(0), row(1)), row(2), row(3)),
        })
    };
    let mut sums = [_mm512_setzero_si512(); 2];
    let (pairs, rest) = keys.as_chunks::<2>();
    for pair in pairs {
        sums[0] = _mm512_add_epi64(sums[0], fits(pair[0]));
        sums[1] = _mm512_add_epi64(sums[1], fits(pair[1]));
    }
    for &key in rest {
        sums[0] = _mm512_add_epi64(sums[0], fits(key));
    }
    _mm512_reduce_add_epi64(_mm512_add_epi64(sums[0], sums[1])) as u64
}

/// Makes one vector per bit of up to 512 keys: bit `i` of 32-bit lane `j` belongs to key `16 i +
/// j`.
#[target_feature(enable = "avx512f")]
fn transpose(keys: &[u32], rows: &mut [__m512i; 32]) {
    // SAFETY: both types are 2048 bytes of any value.
    let lanes: &mut [u32; LEAF] = unsafe { &mut *(&raw mut *rows).cast() };
    lanes[..keys.len()].copy_from_slice(keys);
    lanes[keys.len()..].fill(0);
    // sixteen 32x32 matrices at once, lane j of rows[i] being row i of matrix j:
    // swap off-diagonal squares of halving size
    swap::<16>(rows, 0x0000_FFFF);
    swap::<8>(rows, 0x00FF_00FF);
    swap::<4>(rows, 0x0F0F_0F0F);
    swap::<2>(rows, 0x3333_3333);
    swap::<1>(rows, 0x5555_5555);
}

/// Swaps the upper right and the lower left square of each group of `2 SIZE` rows.
#[target_feature(enable = "avx512f")]
#[inline]
fn swap<const SIZE: u32>(rows: &mut [__m512i; 32], mask: u32) {
    let mask = set32(mask);
    let size = SIZE as usize;
    for i in 0..32 {
        if i & size != 0 {
            continue;
        }
        let (a, b) = (rows[i], rows[i + size]);
        // (a >> SIZE ^ b) & mask
        let changed = _mm512_ternarylogic_epi32::<0x28>(_mm512_srli_epi32::<SIZE>(a), b, mask);
        rows[i + size] = _mm512_xor_si512(b, changed);
        rows[i] = _mm512_xor_si512(a, _mm512_slli_epi32::<SIZE>(changed));
    }
}

/// The row that has a bit for each of the first `len` keys, in the order of [`transpose`].
#[target_feature(enable = "avx512f")]
#[inline]
fn present(len: usize) -> __m512i {
    // lane j holds the keys j, j + 16, j + 32, …
    let mut lanes = [0u32; 16];
    for (j, lane) in lanes.iter_mut().enumerate() {
        *lane = ((1u64 << ((len + 15 - j) / 16)) - 1) as u32;
    }
    // SAFETY: both types are 64 bytes of any value.
    unsafe { std::mem::transmute(lanes) }
}
