//! Portable leaf: rows are eight `u64`, which becomes four SSE2 registers on x86-64. There is neither
//! `pext` nor `popcnt`: chunks are the bytes of a key as they are, and hits are added up bit by bit
//! over many keys before they are counted.

use super::super::{Leaf, present};

/// A bit for each of up to 512 keys.
type Row = [u64; 8];

/// The body of [`Primitives::leaf`](super::super::Primitives::leaf).
pub(super) fn count(leaf: Leaf<'_>) {
    let Leaf { block, lists, mask, tables, totals } = leaf.narrowed();
    build(block, mask, &mut tables.0);
    for (total, keys) in totals.iter_mut().zip(lists) {
        *total += scan(keys, mask, &tables.0);
    }
}

/// Table `c` gets, for every byte that has only bits of `mask`, the keys of the block
/// that share none of them in byte `c`.
fn build(block: &[u32], mask: u32, tables: &mut [[Row; 256]; 4]) {
    let rows = transpose(block).map(row);
    let mut first = row(present(block.len()));
    for (c, table) in tables.iter_mut().enumerate() {
        let mut done = [0u8; 256];
        let mut count = 1;
        table[0] = first;
        first = [!0; 8];
        for bit in (0..8).filter(|bit| mask >> (8 * c + bit) & 1 == 1) {
            let row = &rows[8 * c + bit];
            for i in 0..count {
                let known = table[usize::from(done[i])];
                let new = done[i] | 1 << bit;
                table[usize::from(new)] = std::array::from_fn(|w| known[w] & !row[w]);
                done[count + i] = new;
            }
            count *= 2;
        }
    }
}

/// One row per bit: bit `i` of lane `j` belongs to key `16 i + j`.
fn transpose(block: &[u32]) -> [[u32; 16]; 32] {
    let mut matrix = [[0u32; 16]; 32];
    matrix.as_flattened_mut()[..block.len()].copy_from_slice(block);
    // Sixteen 32x32 matrices at once: swap off-diagonal squares of halving size.
    for (size, mask) in
        [(16, 0x0000_FFFF), (8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)]
    {
        for group in matrix.chunks_exact_mut(2 * size) {
            let (upper, lower) = group.split_at_mut(size);
            for (a, b) in upper.as_flattened_mut().iter_mut().zip(lower.as_flattened_mut()) {
                let changed = (*a >> size ^ *b) & mask;
                *b ^= changed;
                *a ^= changed << size;
            }
        }
    }
    matrix
}

/// The same row in larger words.
fn row(lanes: [u32; 16]) -> Row {
    std::array::from_fn(|w| u64::from(lanes[2 * w]) | u64::from(lanes[2 * w + 1]) << 32)
}

/// Adds `b` and `c` to `sum`; returns the carry.
fn add(sum: &mut Row, b: &Row, c: &Row) -> Row {
    let mut carry = [0; 8];
    for w in 0..8 {
        let half = sum[w] ^ b[w];
        carry[w] = sum[w] & b[w] | half & c[w];
        sum[w] = half ^ c[w];
    }
    carry
}

fn count_ones(row: &Row) -> u64 {
    row.iter().map(|word| u64::from(word.count_ones())).sum()
}

fn scan(keys: &[u32], mask: u32, tables: &[[Row; 256]; 4]) -> u64 {
    let look = |key: u32| -> Row {
        let [a, b, c, d] = (key & mask).to_le_bytes().map(usize::from);
        let (a, b, c, d) = (&tables[0][a], &tables[1][b], &tables[2][c], &tables[3][d]);
        std::array::from_fn(|w| a[w] & b[w] & c[w] & d[w])
    };
    let (mut ones, mut twos, mut fours, mut eights) = ([0; 8], [0; 8], [0; 8], [0; 8]);
    let mut total = 0;
    let (groups, rest) = keys.as_chunks::<16>();
    for group in groups {
        let mut carries = [[0; 8]; 2];
        for (carry, keys) in carries.iter_mut().zip(group.as_chunks::<8>().0) {
            let mut fours_of = [[0; 8]; 2];
            for (carry, keys) in fours_of.iter_mut().zip(keys.as_chunks::<4>().0) {
                let a = add(&mut ones, &look(keys[0]), &look(keys[1]));
                let b = add(&mut ones, &look(keys[2]), &look(keys[3]));
                *carry = add(&mut twos, &a, &b);
            }
            *carry = add(&mut fours, &fours_of[0], &fours_of[1]);
        }
        total += 16 * count_ones(&add(&mut eights, &carries[0], &carries[1]));
    }
    total += rest.iter().map(|&key| count_ones(&look(key))).sum::<u64>();
    total
        + count_ones(&ones)
        + 2 * count_ones(&twos)
        + 4 * count_ones(&fours)
        + 8 * count_ones(&eights)
}
