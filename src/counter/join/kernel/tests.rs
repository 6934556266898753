//! Every method of every kernel of this CPU on small lists that fill their allocations to the last
//! byte, against plain loops. They take seconds, so that they can be run under a memory checker:
//! whatever reads or writes past a list leaves an allocation.

use super::*;

/// Numbers without pattern.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }

    /// Keys of which each bit of `mask` is set in one of four.
    fn keys(&mut self, len: usize, mask: u64) -> Box<[u64]> {
        (0..len).map(|_| self.next() & self.next() & mask).collect()
    }
}

/// The same keys in 32 bits.
fn narrow(keys: &[u64]) -> Box<[u32]> {
    keys.iter().map(|&key| key as u32).collect()
}

/// Every length up to some vectors of every width, and those around the limits of a leaf.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=67).chain([127, 128, 129, 255, 256, 257, 511, 512])
}

/// Runs `test` with every kernel of this CPU.
fn with_each_kernel(test: impl Test) {
    struct Named<T>(Kernel, T);
    impl<T: Test> Job for Named<T> {
        type Output = ();
        fn run<P: Primitives>(self, kernel: P) {
            self.1.run(kernel, self.0);
        }
    }
    for kernel in Kernel::ALL {
        if kernel.is_available() {
            run(kernel, Named(kernel, test));
        } else {
            println!("skipped: this CPU cannot run {kernel}");
        }
    }
}

/// A test of one kernel.
trait Test: Copy {
    fn run<P: Primitives>(self, kernel: P, name: Kernel);
}

/// Holds a [`Sieve`] against plain loops, with memory before the lists that moves them off the
/// alignment of a vector.
fn check_sieve<K>(kernel: impl Sieve<K> + Copy, name: Kernel, keys: &[K], bits: u32)
where
    K: Key + Ord + std::fmt::Debug,
{
    for skipped in [0, 1].into_iter().filter(|&skipped| skipped <= keys.len()) {
        let keys = &keys[skipped..];
        for bit in (0..bits).step_by(7).chain([bits - 1]) {
            let (ones, zeros): (Vec<K>, Vec<K>) = keys.iter().partition(|key| key.bit(bit) == 1);
            let what = format!("{name}, {} keys, bit {bit} of {bits}", keys.len());

            let mut out = vec![K::default(); skipped + keys.len() + SLACK].into_boxed_slice();
            assert_eq!(kernel.filter(keys, bit, &mut out[skipped..]), zeros.len(), "{what}");
            assert_eq!(out[skipped..][..zeros.len()], zeros, "{what}");

            let mut out = vec![K::default(); skipped + keys.len()].into_boxed_slice();
            let out = &mut out[skipped..];
            assert_eq!(kernel.partition(keys, bit, out), zeros.len(), "{what}");
            out[..zeros.len()].sort_unstable();
            out[zeros.len()..].sort_unstable();
            let sorted = |mut keys: Vec<K>| {
                keys.sort_unstable();
                keys
            };
            assert_eq!(out, [sorted(zeros), sorted(ones)].concat(), "{what}");
        }
        let counts = kernel.sample(keys);
        for (bit, &count) in counts.iter().enumerate() {
            let sampled = keys.iter().step_by(stride(keys.len()));
            let expected =
                sampled.filter(|&&key| (bit as u32) < bits && key.bit(bit as u32) == 1).count();
            assert_eq!(usize::from(count), expected, "{name}, {} keys, bit {bit}", keys.len());
        }
    }
}

#[test]
fn lists_are_sieved_within_their_memory() {
    #[derive(Clone, Copy)]
    struct Sieves;
    impl Test for Sieves {
        fn run<P: Primitives>(self, kernel: P, name: Kernel) {
            let mut random = Random(1);
            for len in lengths() {
                let keys = random.keys(len, !0);
                check_sieve::<u64>(kernel, name, &keys, 64);
                check_sieve::<u32>(kernel, name, &narrow(&keys), 32);
                // All keys on one side.
                check_sieve::<u64>(kernel, name, &vec![0; len].into_boxed_slice(), 64);
                check_sieve::<u32>(kernel, name, &vec![!0; len].into_boxed_slice(), 32);
            }
        }
    }
    with_each_kernel(Sieves);
}

#[test]
fn lists_are_united_and_narrowed_within_their_memory() {
    #[derive(Clone, Copy)]
    struct Narrows;
    impl Test for Narrows {
        fn run<P: Primitives>(self, kernel: P, name: Kernel) {
            let mut random = Random(2);
            for len in lengths() {
                let keys = random.keys(len, !0);
                let union = keys.iter().fold(0, |all, key| all | key);
                assert_eq!(kernel.union(&keys), union, "{name}");
                for mask in
                    [0, 1, 0xFFFF_FFFF, 0x0F0F_0F0F, 0xFFFF_FFFF << 32, 0x5555 << 20, 1 << 63]
                {
                    // The kernel need not clear bits below 32.
                    let keys: Box<[u64]> = keys.iter().map(|key| key & mask).collect();
                    let mut out = vec![0; len].into_boxed_slice();
                    kernel.narrow(&keys, mask, &mut out);
                    for (&key, found) in keys.iter().zip(out) {
                        let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
                        let moved =
                            bits.enumerate().map(|(to, from)| (key >> from & 1) << to).sum();
                        let expected = if mask >> 32 == 0 { key } else { moved };
                        assert_eq!(u64::from(found), expected, "{name}, mask {mask:x}");
                    }
                }
            }
        }
    }
    with_each_kernel(Narrows);
}

#[test]
fn leaves_are_counted_within_their_memory() {
    #[derive(Clone, Copy)]
    struct Leaves;
    impl Test for Leaves {
        fn run<P: Primitives>(self, kernel: P, name: Kernel) {
            let mut random = Random(3);
            let mut tables = Box::<Tables>::default();
            // 1, 2, 3 and 4 chunks, and none.
            for mask in [0, 0x0101, 0x00FF_F000, 0x3FFF_FFC0, !0] {
                for len in [0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512] {
                    let block = narrow(&random.keys(len, !0));
                    let lists: [_; 3] =
                        std::array::from_fn(|i| narrow(&random.keys(5 * i + len % 17, !0)));
                    let expected = lists.each_ref().map(|keys| {
                        let meets =
                            |key: &u32| block.iter().filter(|&b| b & key & mask == 0).count();
                        7 + keys.iter().map(meets).sum::<usize>() as u64
                    });
                    let mut totals = [7; 3];
                    kernel.leaf(Leaf {
                        block: &block,
                        lists: lists.each_ref().map(|keys| &**keys),
                        mask,
                        tables: &mut tables,
                        totals: &mut totals,
                    });
                    assert_eq!(totals, expected, "{name}, {len} keys, mask {mask:x}");
                }
            }
        }
    }
    with_each_kernel(Leaves);
}

#[test]
fn lists_are_combined_within_their_memory() {
    #[derive(Clone, Copy)]
    struct Combines;
    impl Test for Combines {
        fn run<P: Primitives>(self, kernel: P, name: Kernel) {
            let mut random = Random(4);
            for few in (0..=10).chain([16, 17, 31]) {
                for many in 0..=21 {
                    // With few bits all pairs fit, and the output is as long as it can be.
                    for mask in [0, 0xFFFF, !0] {
                        let (few, many) = (random.keys(few, mask), random.keys(many, mask));
                        let pairs = few.iter().flat_map(|a| many.iter().map(move |b| (a, b)));
                        let mut expected: Vec<u64> =
                            pairs.filter(|(a, b)| *a & *b == 0).map(|(a, b)| a | b).collect();
                        // An empty list is given exactly the memory that the kernel asks for.
                        let mut out = Vec::new();
                        kernel.combine(&few, &many, &mut out);
                        expected.sort_unstable();
                        out.sort_unstable();
                        assert_eq!(out, expected, "{name}");
                    }
                }
            }
        }
    }
    with_each_kernel(Combines);
}
