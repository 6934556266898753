//! Both primitives against the double loop.
use super::super::kernel::combine;
use super::*;

struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }
    /// A key with each bit of `mask` set one time in `2^-rarity`.
    fn key(&mut self, mask: u64, rarity: u32) -> u64 {
        (0..rarity).fold(mask, |key, _| key & self.next())
    }
    fn keys(&mut self, len: usize, mask: u64, rarity: u32) -> Vec<u64> {
        (0..len).map(|_| self.key(mask, rarity)).collect()
    }
}

/// Pairs per class, one by one.
fn double_loop(tops: &[u64], bottoms: &[u64]) -> [u64; 3] {
    let mut pairs = [0; 3];
    for b in bottoms {
        let fitting = tops.iter().filter(|&a| (a & b) & !CLASSES == 0).count();
        pairs[(b >> 62).count_ones() as usize] += fitting as u64;
    }
    pairs
}

fn available() -> impl Iterator<Item = Kernel> {
    Kernel::ALL.iter().copied().filter(|kernel| {
        let missing = kernel.missing();
        if !missing.is_empty() {
            eprintln!("{kernel:?} skipped: this CPU lacks {}", missing.join(", "));
        }
        missing.is_empty()
    })
}

fn check(tops: &[u64], bottoms: &[u64], scratch: &mut Scratch) {
    let pairs = double_loop(tops, bottoms);
    for weights in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 2, 4], [0, 2, 4]] {
        let expected: u64 = pairs.iter().zip(weights).map(|(pairs, weight)| pairs * weight).sum();
        for kernel in available() {
            let found = compatible(kernel, tops, bottoms, weights, scratch);
            assert_eq!(
                found,
                Some(expected),
                "{kernel:?} {weights:?} {} {}",
                tops.len(),
                bottoms.len()
            );
        }
    }
}

const CLASSES: u64 = 3 << 62;

#[test]
fn compatible_equals_the_double_loop_for_all_small_sizes() {
    let mut scratch = Scratch::default();
    let mut random = Random(1);
    for len in (0..40).chain([255, 256, 257, 511, 512, 513, 600, 1100]) {
        for other in (0..20).chain([100, 511, 512, 513, 700]) {
            let tops = random.keys(len, 0xF_FFFF, 2);
            let bottoms = random.keys(other, CLASSES | 0xF_FFFF, 2);
            check(&tops, &bottoms, &mut scratch);
        }
    }
}

#[test]
fn compatible_equals_the_double_loop_for_all_numbers_of_bits() {
    let mut scratch = Scratch::default();
    let mut random = Random(2);
    for bits in 0..=62 {
        let mask = (1u64 << bits) - 1;
        for rarity in 1..=4 {
            let tops = random.keys(1300, mask, rarity);
            let bottoms = random.keys(1500, mask | CLASSES, rarity);
            check(&tops, &bottoms, &mut scratch);
        }
    }
}

#[test]
fn compatible_equals_the_double_loop_for_masks_with_gaps() {
    let mut scratch = Scratch::default();
    let mut random = Random(3);
    for _ in 0..60 {
        let mask = random.next() & !CLASSES;
        let tops = random.keys(700, mask, 3);
        let bottoms = random.keys(900, mask | CLASSES, 3);
        check(&tops, &bottoms, &mut scratch);
    }
}

#[test]
fn compatible_equals_the_double_loop_for_large_lists() {
    let mut scratch = Scratch::default();
    let mut random = Random(4);
    for (tops, bottoms, bits) in
        [(3000, 20_000, 36), (20_000, 3000, 40), (9000, 9000, 32), (2000, 30_000, 28)]
    {
        let mask = (1u64 << bits) - 1;
        let tops = random.keys(tops, mask, 2);
        let bottoms = random.keys(bottoms, mask | CLASSES, 2);
        check(&tops, &bottoms, &mut scratch);
    }
}

#[test]
fn compatible_equals_the_double_loop_for_adversarial_sets() {
    let mut scratch = Scratch::default();
    let all = !CLASSES;
    let sets: Vec<Vec<u64>> = [0, 1, 7, 511, 512, 513, 2000]
        .into_iter()
        .flat_map(|len| {
            [
                vec![0; len],
                vec![all; len],
                vec![all | CLASSES; len],
                vec![1 << 61; len],
                (0..len).map(|i| 1 << (i % 62)).collect(),
                (0..len).map(|i| (all ^ 1 << (i % 62)) | (i as u64) << 62).collect(),
                (0..len).map(|i| (i as u64) << 33 | i as u64).collect(),
                (0..len).map(|i| if i % 2 == 0 { 0 } else { 0xFFFF_FFFF }).collect(),
            ]
        })
        .collect();
    for tops in &sets {
        for bottoms in &sets {
            check(tops, bottoms, &mut scratch);
        }
    }
}

#[test]
fn combine_equals_the_double_loop() {
    let mut random = Random(5);
    for kernel in available() {
        for west in (0..20).chain([100, 300]) {
            for east in (0..20).chain([99, 301]) {
                let west = random.keys(west, !0, 3);
                let east = random.keys(east, !0, 3);
                let mut expected = vec![7];
                for a in &west {
                    expected.extend(east.iter().filter(|&b| a & b == 0).map(|b| a | b));
                }
                let mut found = vec![7];
                combine(kernel, &west, &east, &mut found);
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{kernel:?}");
            }
        }
    }
}
