//! Portable kernel: plain Rust, left to the compiler to vectorise for the baseline of the machine.
//!
//! Rows are eight `u64`, which becomes four SSE2 registers on x86-64. There is neither `pext` nor
//! `popcnt`: chunks are the bytes of a key as they are, and hits are added up bit by bit over many
//! keys before they are counted.
use super::{
    Addition, LEAF, Primitives, SLACK, Sieve, Tables, add_to_each, opposite, stride, truncate,
};
use crate::counter::join::lists::Lists;

/// The kernel that runs everywhere.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// A bit for each of up to 512 keys.
type Row = [u64; 8];

macro_rules! lists {
    ($key:ty) => {
        impl Sieve<$key> for Portable {
            fn filter(self, keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
                let out = &mut out[..keys.len() + SLACK];
                let mut used = 0;
                for &key in keys {
                    out[used] = key;
                    used += usize::from(key >> bit & 1 == 0);
                }
                used
            }

            fn partition(self, keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
                let out = &mut out[..keys.len()];
                let (mut front, mut back) = (0, keys.len());
                for &key in keys {
                    out[front] = key;
                    out[back - 1] = key;
                    let one = usize::from(key >> bit & 1 == 1);
                    front += 1 - one;
                    back -= one;
                }
                front
            }

            fn sample(self, keys: &[$key]) -> [u8; 64] {
                let mut sums = [0; 8];
                for key in keys.iter().step_by(stride(keys.len())) {
                    for (sum, byte) in sums.iter_mut().zip(key.to_le_bytes()) {
                        *sum += SPREAD[usize::from(byte)];
                    }
                }
                let mut counts = [0; 64];
                for (counts, sum) in counts.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
                    *counts = sum.to_le_bytes();
                }
                counts
            }
        }
    };
}
lists!(u32);
lists!(u64);

/// `SPREAD[b]`: bit `i` of `b` in byte `i`.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 * 8 {
        let (byte, bit) = (i / 8, i % 8);
        table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
        i += 1;
    }
    table
};

impl Primitives for Portable {
    fn union(self, keys: &[u64]) -> u64 {
        keys.iter().fold(0, |all, key| all | key)
    }

    fn narrow(self, keys: &[u64], mask: u64, out: &mut [u32]) {
        if mask >> 32 == 0 {
            return truncate(keys, out);
        }
        let moves = moves(mask);
        for (out, &key) in out.iter_mut().zip(keys) {
            let mut key = key & mask;
            for (i, moved) in moves.iter().enumerate() {
                let moved = key & moved;
                key = (key ^ moved) | moved >> (1 << i);
            }
            *out = key as u32;
        }
    }

    fn leaf(
        self,
        block: &[u32],
        lists: [&[u32]; 3],
        mask: u32,
        tables: &mut Tables,
        totals: &mut [u64; 3],
    ) {
        let mask = block.iter().fold(0, |all, key| all | key) & mask;
        build(block, mask, &mut tables.0);
        for (total, keys) in totals.iter_mut().zip(lists) {
            *total += scan(keys, mask, &tables.0);
        }
    }

    fn combine(self, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        append(few, many, out);
    }

    fn combine_opposite(self, few: &Lists, many: &Lists, groups: &[u32], out: &mut Vec<u64>) {
        opposite(few, many, groups, out, append);
    }

    fn add_queen(self, addition: Addition, longer: &mut Lists) {
        add_to_each(addition, longer, append);
    }
}

/// Appends `a | b` for every `a` of `few` and `b` of `many` that share no bit.
#[inline]
fn append(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    let mut used = out.len();
    out.resize(used + few.len() * many.len() + 1, 0);
    for &a in few {
        for &b in many {
            out[used] = a | b;
            used += usize::from(a & b == 0);
        }
    }
    out.truncate(used);
}

/// Which bits of a key move right by 1, 2, 4, … so that the bits of `mask` end up side by side
/// (the parallel suffix method, Hacker's Delight 7-4).
fn moves(mut mask: u64) -> [u64; 6] {
    let mut gaps = !mask << 1;
    std::array::from_fn(|i| {
        let odd = (0..6).fold(gaps, |parity, k| parity ^ parity << (1 << k));
        let moved = odd & mask;
        mask = (mask ^ moved) | moved >> (1 << i);
        gaps &= !odd;
        moved
    })
}

/// Table `c` gets, for every byte that has only bits of `mask`, the keys of the block
/// that share none of them in byte `c`.
fn build(block: &[u32], mask: u32, tables: &mut [[Row; 256]; 4]) {
    let rows = rows(block);
    let mut first = present(block.len());
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

/// One row per bit: key `16 i + j` is bit `i` of the `j`-th `u32` of a row.
fn rows(block: &[u32]) -> [Row; 32] {
    let mut matrix = [[0u32; 16]; 32];
    matrix.as_flattened_mut()[..block.len()].copy_from_slice(block);
    // sixteen 32x32 matrices at once: swap off-diagonal squares of halving size
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
        .map(|row| std::array::from_fn(|w| u64::from(row[2 * w]) | u64::from(row[2 * w + 1]) << 32))
}

/// The row with a bit for each of the first `len` keys.
fn present(len: usize) -> Row {
    debug_assert!(len <= LEAF);
    let lane = |j: usize| (1u64 << ((len + 15 - j) / 16)) - 1;
    std::array::from_fn(|w| lane(2 * w) | lane(2 * w + 1) << 32)
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
