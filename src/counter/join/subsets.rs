//! All subsets of up to 17 rows or columns, as masks in increasing order, grouped by size.
//!
//! Among the sets of one size the increasing order does not depend on the number of rows: the
//! sets within `0..rows` are the first `binomial(rows, size)` ones. So a set has one rank, and a
//! list over all sets of a size is an array indexed by rank. Memory: 8 bytes per set.

/// The subsets of `0..length`, by size and rank.
#[derive(Debug)]
pub(super) struct Subsets {
    /// `by_size[k]` holds the sets of `k` members in increasing order.
    by_size: Vec<Vec<u32>>,
    /// `ranks[set]` is the place of `set` among the sets of its size.
    ranks: Vec<u32>,
}

impl Subsets {
    /// All subsets of `0..length`.
    pub(super) fn new(length: u32) -> Self {
        let mut by_size = vec![Vec::new(); length as usize + 1];
        let ranks = (0..1u32 << length)
            .map(|set| {
                let sets: &mut Vec<u32> = &mut by_size[set.count_ones() as usize];
                sets.push(set);
                sets.len() as u32 - 1
            })
            .collect();
        Self { by_size, ranks }
    }

    /// The sets of `size` members of `0..length`, in order of rank.
    pub(super) fn of(&self, length: u32, size: u32) -> &[u32] {
        let sets = &self.by_size[size as usize];
        &sets[..sets.partition_point(|&set| set < 1 << length)]
    }

    /// The rank of each set, its place among the sets of its size.
    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
    }
}

/// The members of a set, in increasing order.
pub(super) fn members(set: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(set), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(u32::trailing_zeros)
}
