//! The leaf: counts the pairs of a block of at most 512 keys and of lists of any length.
//!
//! The block is turned into one row per bit, with a bit per key, then into a table per chunk of at
//! most eight bits: entry `i` of a chunk has a bit for every key of the block that shares none of
//! the bits `i`. The keys that fit a key of a list are the AND of one entry per chunk:
//!
//! ```text
//! key of a list   0110 1000        chunk 0 (1000): 1110 0111 …   keys of the block without bit 3
//!                  |    |          chunk 1 (0110): 1011 0110 …   keys without bits 5 and 6
//!                  1    0                 AND      1010 0110 …   set bits are counted
//! ```
//!
//! A row is one or more vectors. The order of keys within a row is whatever the transposition makes
//! it, the same in each row.

use super::super::{Leaf, Tables, present};
use crate::kernel::Avx2;

/// Vectors of `LANES` times 32 bits, a bit for each key.
pub(in super::super) trait Rows<const LANES: usize>: Copy + Into<Avx2> {
    type Vector: Copy;

    /// [`transpose`], compiled for the instructions: once, however many sizes of leaves there are.
    fn rows(self, block: &[u32]) -> [Self::Vector; 32];
    fn load(self, lanes: &[u32; LANES]) -> Self::Vector;
    /// In each lane, swaps the bits of `a` that are `size` places above a bit of `mask` with the bits
    /// of `b` in `mask`.
    fn swap(self, a: Self::Vector, b: Self::Vector, size: u32, mask: u32) -> [Self::Vector; 2];
    /// A vector of set bits.
    fn full(self) -> Self::Vector;
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & !b`.
    fn without(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The pairs of the block and `keys`.
    fn scan<const W: usize, const C: usize>(
        self,
        chunks: &Chunks<'_, Self, LANES, W, C>,
        keys: &[u32],
    ) -> u64;
}

/// A row for each value of a chunk: `W` vectors with a bit for each key of the block.
type Table<V, const W: usize> = [[V; W]; 256];

/// The block as tables of its chunks.
pub(in super::super) struct Chunks<
    'a,
    P: Rows<LANES>,
    const LANES: usize,
    const W: usize,
    const C: usize,
> {
    cpu: P,
    /// The bits that count, divided among the chunks.
    mask: u32,
    /// Where the bits of `mask` go, when moved together, so that the `c`-th 16 bits are an offset in
    /// bytes into the `c`-th table.
    fields: u64,
    tables: &'a [Table<P::Vector, W>; C],
}

/// Adds the pairs of the block and each list that share no bit of the mask, with rows of `W` vectors
/// and `C` chunks.
#[inline(always)]
pub(in super::super) fn count<
    P: Rows<LANES>,
    const LANES: usize,
    const W: usize,
    const C: usize,
>(
    cpu: P,
    leaf: Leaf<'_>,
) {
    const {
        assert!(size_of::<[Table<P::Vector, W>; C]>() <= size_of::<Tables>());
        assert!(align_of::<P::Vector>() <= align_of::<Tables>());
    }
    // SAFETY: by the assertions above there is room; any bytes are a vector.
    let tables = unsafe { &mut *(&raw mut *leaf.tables).cast() };
    let chunks = Chunks::<P, LANES, W, C>::new(cpu, leaf.block, leaf.mask, tables);
    for (total, keys) in leaf.totals.iter_mut().zip(leaf.lists) {
        *total += cpu.scan(&chunks, keys);
    }
}

impl<'a, P: Rows<LANES>, const LANES: usize, const W: usize, const C: usize>
    Chunks<'a, P, LANES, W, C>
{
    /// Fills the tables.
    #[inline(always)]
    fn new(cpu: P, block: &[u32], mask: u32, tables: &'a mut [Table<P::Vector, W>; C]) -> Self {
        assert!(block.len() <= 32 * LANES * W && mask.count_ones() as usize <= 8 * C);
        let none = cpu.load(&[0; LANES]);
        let (mut rows, mut first) = ([[none; 32]; W], [none; W]);
        for ((rows, first), keys) in rows.iter_mut().zip(&mut first).zip(block.chunks(32 * LANES)) {
            *rows = cpu.rows(keys);
            *first = cpu.load(&present(keys.len()));
        }
        let (mut left, mut fields) = (mask, 0);
        for (c, table) in tables.iter_mut().enumerate() {
            let width = left.count_ones().div_ceil((C - c) as u32);
            fields |= (((1 << width) - 1) * size_of::<[P::Vector; W]>() as u64) << (16 * c);
            table[0] = first;
            first = [cpu.full(); W];
            for k in 0..width {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let (known, new) = table.split_at_mut(1 << k);
                for (new, known) in new.iter_mut().zip(known) {
                    for w in 0..W {
                        new[w] = cpu.without(known[w], rows[w][bit]);
                    }
                }
            }
        }
        Self { cpu, mask, fields, tables }
    }

    /// The keys of the block that share no bit with `key`.
    #[inline(always)]
    pub(in super::super) fn fits(&self, key: u32) -> [P::Vector; W] {
        let cpu = self.cpu;
        let offsets = cpu.into().spread(key, self.mask, self.fields);
        let mut fits = [cpu.full(); W];
        for (c, table) in self.tables.iter().enumerate() {
            let offset = usize::from((offsets >> (16 * c)) as u16);
            // SAFETY: a chunk has at most eight bits, and `fields` keeps the offset at one of its rows.
            let row: &[P::Vector; W] = unsafe { &*table.as_ptr().byte_add(offset) };
            for w in 0..W {
                fits[w] = cpu.and(fits[w], row[w]);
            }
        }
        fits
    }
}

/// Turns a block of up to `32 * LANES` keys into one row per bit: bit `i` of lane `j` belongs to key
/// `LANES * i + j`.
///
/// In plain Rust, left to the compiler, this became gathers and scatters for AVX-512.
#[inline(always)]
pub(in super::super) fn transpose<P: Rows<LANES>, const LANES: usize>(
    cpu: P,
    block: &[u32],
) -> [P::Vector; 32] {
    let mut lanes = [[0; LANES]; 32];
    lanes.as_flattened_mut()[..block.len()].copy_from_slice(block);
    let mut rows = [cpu.load(&[0; LANES]); 32];
    for (row, lanes) in rows.iter_mut().zip(&lanes) {
        *row = cpu.load(lanes);
    }
    // As many 32x32 matrices as lanes at once, lane j of rows[i] being row i of matrix j: swap
    // off-diagonal squares of halving size.
    swap::<P, LANES, 16>(cpu, &mut rows, 0x0000_FFFF);
    swap::<P, LANES, 8>(cpu, &mut rows, 0x00FF_00FF);
    swap::<P, LANES, 4>(cpu, &mut rows, 0x0F0F_0F0F);
    swap::<P, LANES, 2>(cpu, &mut rows, 0x3333_3333);
    swap::<P, LANES, 1>(cpu, &mut rows, 0x5555_5555);
    rows
}

/// Swaps the upper right and the lower left square of each group of `2 * SIZE` rows.
#[inline(always)]
fn swap<P: Rows<LANES>, const LANES: usize, const SIZE: usize>(
    cpu: P,
    rows: &mut [P::Vector; 32],
    mask: u32,
) {
    for i in (0..32).filter(|i| i & SIZE == 0) {
        [rows[i], rows[i + SIZE]] = cpu.swap(rows[i], rows[i + SIZE], SIZE as u32, mask);
    }
}
