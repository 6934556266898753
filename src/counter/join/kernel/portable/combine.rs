//! Portable list making: pair by pair, without branches on the keys.

use super::super::super::room::reserve;

/// Appends `a | b` for every `a` of `few` and `b` of `many` that share no bit.
#[inline]
pub(super) fn append(few: &[u64], many: &[u64], out: &mut Vec<u64>) {
    let mut used = out.len();
    reserve(out, few.len() * many.len() + 4);
    out.resize(used + few.len() * many.len() + 1, 0);
    for &a in few {
        for &b in many {
            out[used] = a | b;
            used += usize::from(a & b == 0);
        }
    }
    out.truncate(used);
}
