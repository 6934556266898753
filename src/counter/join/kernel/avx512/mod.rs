//! AVX-512 kernel: vectors of 512 bits; compress instead of tables of lane orders, three-way logic
//! and population counts in the leaf.
//!
//! Keys are compressed in registers and stored whole or under a mask: compressing straight to memory
//! is microcoded on Zen 4.

mod combine;
mod leaf;
mod lists;

use super::vectors::primitives;
use crate::kernel::{Avx512, with_avx512};

primitives!(Avx512 with_avx512);
