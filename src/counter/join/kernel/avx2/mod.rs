//! AVX2 kernel: vectors of 256 bits.

mod combine;
mod leaf;
mod lists;

use super::vectors::primitives;
use crate::kernel::{Avx2, with_avx2};

primitives!(Avx2 with_avx2);
