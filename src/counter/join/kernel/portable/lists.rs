//! Portable lists: a key at a time, without branches on it; bits are moved together by shifts, since
//! there is no `pext`.

use super::super::{Key, SLACK, Sieve, stride, truncate};
use super::Portable;

impl<K: Key> Sieve<K> for Portable {
    fn filter(self, keys: &[K], bit: u32, out: &mut [K]) -> usize {
        let out = &mut out[..keys.len() + SLACK];
        let mut used = 0;
        for &key in keys {
            out[used] = key;
            used += usize::from(key.bit(bit) == 0);
        }
        used
    }

    fn partition(self, keys: &[K], bit: u32, out: &mut [K]) -> usize {
        let out = &mut out[..keys.len()];
        let (mut front, mut back) = (0, keys.len());
        for &key in keys {
            out[front] = key;
            out[back - 1] = key;
            let one = key.bit(bit);
            front += 1 - one;
            back -= one;
        }
        front
    }

    fn sample(self, keys: &[K]) -> [u8; 64] {
        let mut sums = [0; 8];
        for &key in keys.iter().step_by(stride(keys.len())) {
            for (sum, byte) in sums[..size_of::<K>()].iter_mut().zip(key.into().to_le_bytes()) {
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

/// The body of [`Primitives::narrow`](super::super::Primitives::narrow).
pub(super) fn narrow(keys: &[u64], mask: u64, out: &mut [u32]) {
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
