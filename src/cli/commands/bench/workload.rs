//! What `bench` measures: the same on every machine, so that reports can be compared.
//!
//! Every algorithm counts a few boards of growing size, with each of its kernels that this CPU has;
//! then the fast ones count their largest board on more threads. The sizes make the whole take less
//! than a minute on two cores of about 2020. Whoever changes them changes [`NAME`] as well.

use std::ops::RangeInclusive;

use nqueens::{Algorithm, Kernel, WorkKind};

use crate::cli::wording::plural;

/// The name of this workload. Measurements of different workloads are not compared.
pub(super) const NAME: &str = "1";

/// The algorithms, simple to fast.
pub(super) const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Naive, Algorithm::Arrays, Algorithm::Bitboard, Algorithm::Join];

/// Nodes of the backtrack tree by board size from 6 (OEIS A319283), root and solutions included.
const NODES: [u64; 12] = [
    153, 552, 2057, 8394, 35539, 166926, 856189, 4674890, 27358553, 171129072, 1141190303,
    8017021932,
];

/// Pairs of half boards that the join divides, by board size from 11. Nobody else publishes them;
/// all kernels, thread counts and memory limits agree on them.
const PAIRS: [u64; 8] =
    [47864, 332828, 2655664, 21358647, 201371069, 1879019821, 20104733786, 209057654286];

/// One count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) algorithm: Algorithm,
    pub(super) kernel: Kernel,
    pub(super) n: u32,
    pub(super) threads: usize,
}

/// All counts, in the order in which they are measured: first those that grow with the board, on
/// `threads[0]` threads, then those on the other numbers of threads.
pub(super) fn cases(threads: &[usize], quick: bool) -> Vec<Case> {
    let pairs = || {
        ALGORITHMS.into_iter().flat_map(|algorithm| {
            kernels(algorithm).into_iter().map(move |kernel| (algorithm, kernel))
        })
    };
    let growing = pairs().flat_map(|(algorithm, kernel)| {
        let case = move |n| Case { algorithm, kernel, n, threads: threads[0] };
        boards(algorithm, kernel, quick).map(case)
    });
    let scaling =
        pairs().filter(|&(algorithm, kernel)| kernel == Kernel::best() && algorithm.has_kernels());
    let scaling = scaling.flat_map(|(algorithm, kernel)| {
        let n = *boards(algorithm, kernel, quick).end();
        threads[1..].iter().map(move |&threads| Case { algorithm, kernel, n, threads })
    });
    growing.chain(scaling).collect()
}

/// The kernels of `algorithm` that this CPU can run.
fn kernels(algorithm: Algorithm) -> Vec<Kernel> {
    if algorithm.has_kernels() { Kernel::available() } else { vec![Kernel::Portable] }
}

/// The boards to count. With vectors the largest takes less time than the one before without.
fn boards(algorithm: Algorithm, kernel: Kernel, quick: bool) -> RangeInclusive<u32> {
    let vectors = kernel != Kernel::Portable;
    let (first, last) = match algorithm {
        Algorithm::Naive => (9, 11),
        Algorithm::Arrays => (10, 12),
        Algorithm::Bitboard => (12, if vectors { 16 } else { 15 }),
        _ => (14, if vectors { 18 } else { 17 }),
    };
    // Quick boards take milliseconds.
    let smaller = if quick { 3 } else { 0 };
    first - smaller..=last - smaller
}

/// The work that a correct count of `n` rows reports; `None` outside the workload.
pub(super) fn expected_work(algorithm: Algorithm, n: u32) -> Option<u128> {
    let (first, work) = match algorithm.work_kind() {
        WorkKind::Nodes => (6, NODES.as_slice()),
        WorkKind::Pairs => (11, PAIRS.as_slice()),
        _ => return None,
    };
    let index = usize::try_from(n.checked_sub(first)?).ok()?;
    work.get(index).map(|&work| work.into())
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { algorithm, kernel, n, threads } = self;
        write!(f, "{algorithm} ({kernel}), N = {n}, {threads} thread{}", plural(*threads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workload_is_fixed() {
        let threads = [1, 2, 4];
        let cases = cases(&threads, false);
        let of =
            |algorithm: Algorithm| cases.iter().filter(move |case| case.algorithm == algorithm);
        assert_eq!(of(Algorithm::Naive).map(|case| case.n).collect::<Vec<_>>(), [9, 10, 11]);
        let scaling: Vec<_> = of(Algorithm::Bitboard).filter(|case| case.threads > 1).collect();
        assert_eq!(scaling.iter().map(|case| case.threads).collect::<Vec<_>>(), [2, 4]);
        assert!(scaling.iter().all(|case| case.kernel == Kernel::best()));
        let quick = super::cases(&threads, true);
        for case in cases.iter().chain(&quick) {
            assert!(expected_work(case.algorithm, case.n).is_some(), "{case}");
        }
    }
}
