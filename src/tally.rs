//! What counting finds: boards, and the work that it took.

/// What an algorithm searches. It is the same for every kernel, thread count and machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkKind {
    /// Nodes of the plain row-by-row backtrack tree, root and solutions included (OEIS A319283),
    /// whatever symmetry was used.
    Nodes,
    /// Pairs of half boards.
    Pairs,
}

impl WorkKind {
    /// `nodes` or `pairs`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Pairs => "pairs",
        }
    }
}

/// What counting a unit found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of boards, those that the unit stands for by symmetry included.
    pub solutions: u64,
    /// What was searched, in units of [`WorkKind`]; boards that symmetry spared count too.
    pub work: u64,
}

impl Tally {
    /// The tally of `weight` units like this one, or `None` if it does not fit 64 bits.
    pub(crate) fn times(self, weight: u64) -> Option<Self> {
        Some(Self {
            solutions: self.solutions.checked_mul(weight)?,
            work: self.work.checked_mul(weight)?,
        })
    }

    /// The sum of two tallies, or `None` if it does not fit 64 bits.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            solutions: self.solutions.checked_add(other.solutions)?,
            work: self.work.checked_add(other.work)?,
        })
    }
}

/// The sum of tallies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Total {
    pub(crate) solutions: u128,
    pub(crate) work: u128,
}

impl Total {
    pub(crate) fn add(&mut self, tally: Tally) {
        self.solutions += u128::from(tally.solutions);
        self.work += u128::from(tally.work);
    }

    pub(crate) fn add_total(&mut self, other: Self) {
        self.solutions += other.solutions;
        self.work += other.work;
    }
}

impl<'a> FromIterator<&'a Tally> for Total {
    fn from_iter<I: IntoIterator<Item = &'a Tally>>(tallies: I) -> Self {
        let mut total = Self::default();
        tallies.into_iter().for_each(|&tally| total.add(tally));
        total
    }
}
