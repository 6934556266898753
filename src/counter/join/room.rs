//! Room for lists that can grow large, where there may be no memory for them.

use std::panic::resume_unwind;

use crate::counter::OutOfMemory;

/// So many bytes must be left behind a list that has grown: for all the small things that a process needs,
/// and that end it if there is no memory for them.
const CUSHION: usize = 4 << 20;

/// Makes room for `more` elements at the end of `list`.
///
/// If there is no memory for them, the unit in hand is given up: the worker unwinds with [`OutOfMemory`],
/// which whoever runs it takes for an error. To allocate as usual would end the process. Nothing else
/// unwinds here, no hook is called, and nothing is printed.
#[inline]
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        grow(list, more);
    }
}

#[cold]
#[inline(never)]
fn grow<T>(list: &mut Vec<T>, more: usize) {
    let cushion = || Vec::<u8>::new().try_reserve_exact(CUSHION);
    if list.try_reserve(more).and_then(|()| cushion()).is_err() {
        resume_unwind(Box::new(OutOfMemory));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_no_room_for_unwinds() {
        let mut list = vec![1u64];
        reserve(&mut list, 100);
        assert!(list.capacity() > 100);
        let grown = std::panic::catch_unwind(move || reserve(&mut list, 1 << 59));
        assert!(grown.unwrap_err().is::<OutOfMemory>());
    }
}
