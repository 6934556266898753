//! What the vector kernels share, written once for every width: loops are here, and what an
//! instruction set does in its own way is a small trait per file.
//!
//! Everything is inlined into the methods that [`primitives`] makes, which are compiled for all CPU
//! features of their kernel.

pub(super) mod leaf;
pub(super) mod lists;

/// Makes a kernel of a proof that implements the traits of this folder: [`Primitives`], each method
/// compiled by the macro `$with` of the proof.
///
/// The modules `leaf` and `combine` are those beside the call.
///
/// [`Primitives`]: super::Primitives
macro_rules! primitives {
    ($cpu:ident $with:ident) => {
        $crate::counter::join::kernel::vectors::sieve!($cpu $with u32);
        $crate::counter::join::kernel::vectors::sieve!($cpu $with u64);

        impl $crate::counter::join::kernel::Primitives for $cpu {
            $with! {
                fn union(_, keys: &[u64]) -> u64 { $crate::counter::join::kernel::union(keys) }

                fn narrow(cpu, keys: &[u64], mask: u64, out: &mut [u32]) {
                    $crate::counter::join::kernel::vectors::lists::narrow(cpu, keys, mask, out);
                }

                fn leaf(cpu, leaf: $crate::counter::join::kernel::Leaf<'_>) {
                    leaf::count(cpu, leaf);
                }

                fn combine(cpu, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
                    combine::append(cpu, few, many, out);
                }
            }
        }
    };
}

/// [`Sieve`](super::Sieve) for one kind of key.
macro_rules! sieve {
    ($cpu:ident $with:ident $key:ty) => {
        impl $crate::counter::join::kernel::Sieve<$key> for $cpu {
            $with! {
                fn filter(cpu, keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
                    $crate::counter::join::kernel::vectors::lists::filter(cpu, keys, bit, out)
                }

                fn partition(cpu, keys: &[$key], bit: u32, out: &mut [$key]) -> usize {
                    $crate::counter::join::kernel::vectors::lists::partition(cpu, keys, bit, out)
                }

                fn sample(cpu, keys: &[$key]) -> [u8; 64] {
                    $crate::counter::join::kernel::vectors::lists::sample(cpu, keys)
                }
            }
        }
    };
}

pub(super) use {primitives, sieve};
