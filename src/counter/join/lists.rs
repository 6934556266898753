//! Keys grouped by the row set that they use.
//!
//! All groups lie in one array, the group of rank 0 first. Each is padded to a multiple of four
//! with keys that meet every other, so that it can be read in whole vectors:
//!
//! ```text
//! keys    a b c ~ | d e f g | h i j k  l ~ ~ ~ |         ~ all bits set
//! starts  0         4         8                  16
//! lens    3         4         5
//! ```

use super::room::reserve;

/// A key that meets every key but 0.
pub(super) const PAD: u64 = u64::MAX;

/// Keys in groups.
#[derive(Debug, Default, Clone)]
pub(super) struct Lists {
    keys: Vec<u64>,
    /// Where each group begins, and the end of the last.
    starts: Vec<u32>,
    /// How many keys of each group are not padding.
    lens: Vec<u32>,
}

impl Lists {
    /// Number of groups.
    pub(super) fn groups(&self) -> usize {
        self.lens.len()
    }

    /// The keys of one group.
    #[inline]
    pub(super) fn of(&self, group: usize) -> &[u64] {
        let start = self.starts[group] as usize;
        &self.keys[start..start + self.lens[group] as usize]
    }

    /// The keys of one group with their padding.
    #[inline]
    pub(super) fn padded(&self, group: usize) -> &[u64] {
        &self.keys[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// Removes all groups.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.starts.clear();
        self.starts.push(0);
        self.lens.clear();
    }

    /// Appends a group of the keys that `append` appends, which leaves room for the padding where they are
    /// many.
    #[inline]
    pub(super) fn push_with(&mut self, append: impl FnOnce(&mut Vec<u64>)) {
        let start = self.keys.len();
        append(&mut self.keys);
        reserve(&mut self.lens, 1);
        reserve(&mut self.starts, 1);
        self.lens.push((self.keys.len() - start) as u32);
        self.keys.resize(self.keys.len().next_multiple_of(4), PAD);
        self.starts.push(self.keys.len() as u32);
    }

    /// Removes the bits outside `mask` from all keys.
    pub(super) fn mask(&mut self, mask: u64) {
        for key in &mut self.keys {
            *key = if *key == PAD { PAD } else { *key & mask };
        }
    }

    /// Keeps the keys of which `keep` is true.
    pub(super) fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        let Self { keys, starts, lens } = self;
        let mut end = 0;
        let mut start = 0;
        for (group, len) in lens.iter_mut().enumerate() {
            for index in start..start + *len as usize {
                let key = keys[index];
                keys[end] = key;
                end += usize::from(keep(key));
            }
            start = starts[group + 1] as usize;
            *len = end as u32 - starts[group];
            let padded = end.next_multiple_of(4);
            keys[end..padded].fill(PAD);
            end = padded;
            starts[group + 1] = end as u32;
        }
        keys.truncate(end);
    }

    /// Replaces `without` and `with` by the keys without and with a bit of `bits`.
    pub(super) fn split(&self, bits: u64, without: &mut Self, with: &mut Self) {
        without.copy_from(self);
        without.retain(|key| key & bits == 0);
        with.copy_from(self);
        with.retain(|key| key & bits != 0);
    }

    fn copy_from(&mut self, other: &Self) {
        copy(&other.keys, &mut self.keys);
        copy(&other.starts, &mut self.starts);
        copy(&other.lens, &mut self.lens);
    }

    /// The groups that have keys, those of one length after another: a loop over them is predicted
    /// well.
    pub(super) fn by_length(&self, groups: impl Iterator<Item = usize>, order: &mut Vec<u32>) {
        order.clear();
        reserve(order, self.groups());
        let len = |group: usize| self.lens.get(group).copied().unwrap_or(0);
        order.extend(groups.filter(|&group| len(group) > 0).map(|group| group as u32));
        order.sort_unstable_by_key(|&group| self.lens[group as usize]);
    }
}

/// Makes `copy` the same as `list`.
fn copy<T: Copy>(list: &[T], copy: &mut Vec<T>) {
    copy.clear();
    reserve(copy, list.len());
    copy.extend_from_slice(list);
}
