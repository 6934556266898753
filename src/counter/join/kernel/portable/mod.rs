//! Portable kernel: plain Rust, left to the compiler to vectorise for the baseline of the machine.

mod combine;
mod leaf;
mod lists;

use super::{Leaf, Primitives, union};

/// The kernel that runs everywhere.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Primitives for Portable {
    fn union(self, keys: &[u64]) -> u64 {
        union(keys)
    }

    fn narrow(self, keys: &[u64], mask: u64, out: &mut [u32]) {
        lists::narrow(keys, mask, out);
    }

    fn leaf(self, leaf: Leaf<'_>) {
        leaf::count(leaf);
    }

    fn combine(self, few: &[u64], many: &[u64], out: &mut Vec<u64>) {
        combine::append(few, many, out);
    }
}
