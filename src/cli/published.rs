//! The check of a count against published values: the only place where counts are doubted so.

use nqueens::{Problem, known};

/// What published values say about a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Published {
    /// Nothing: nobody publishes counts of such boards.
    Never,
    /// Nothing: no value is published for boards of this size.
    NotYet,
    /// It equals the value of this sequence of the OEIS.
    Equal(&'static str),
    /// It is wrong: the sequence has another value.
    Other {
        /// The published value.
        known: u64,
        /// The sequence.
        source: &'static str,
    },
}

/// Compares the number of `solutions` of `problem` with the published one.
pub(crate) fn check(problem: &Problem, solutions: u128) -> Published {
    let n = problem.n();
    let (known, source) = match () {
        () if !problem.queens().is_empty() => return Published::Never,
        () if problem.is_toroidal() => (known::toroidal(n), "A051906"),
        () => (known::solutions(n), "A000170"),
    };
    match known {
        None => Published::NotYet,
        Some(known) if u128::from(known) == solutions => Published::Equal(source),
        Some(known) => Published::Other { known, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_counts_are_noticed() {
        let problem = Problem::new(8).unwrap();
        assert_eq!(check(&problem, 92), Published::Equal("A000170"));
        assert_eq!(check(&problem, 91), Published::Other { known: 92, source: "A000170" });
        let toroidal = Problem::toroidal(5).unwrap();
        assert_eq!(check(&toroidal, 10), Published::Equal("A051906"));
        assert_eq!(check(&toroidal, 11), Published::Other { known: 10, source: "A051906" });
        assert_eq!(check(&Problem::new(28).unwrap(), 1), Published::NotYet);
        assert_eq!(check(&problem.with_queen(0, 0).unwrap(), 1), Published::Never);
    }
}
