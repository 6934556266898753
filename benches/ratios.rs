//! Fails if an algorithm or kernel lost speed against a simpler one.
//!
//! Times depend on the machine; how many times faster one way to count is than another depends on it
//! much less. The two run in turns, on one thread, and the shortest time of each counts, so other
//! programs on the machine do little harm. Each row holds the ratio that was measured when it was
//! written; a loss of more than [`MARGIN`] fails. Whoever makes something faster raises its row.

use std::process::ExitCode;
use std::time::Duration;

use nqueens::{Algorithm, Count, Kernel, known};

/// What is left of a ratio that still passes: other CPUs and busy machines need this much.
const MARGIN: f64 = 0.6;

const TURNS: u32 = 5;

/// An algorithm by name, since not every build has all; and a kernel.
type Way = (&'static str, Kernel);

/// Slower, faster, board, how many times faster; AMD Zen 3, rustc 1.95.
const RATIOS: [(Way, Way, u32, f64); 5] = [
    (("naive", Kernel::Portable), ("arrays", Kernel::Portable), 10, 1.6),
    (("arrays", Kernel::Portable), ("bitboard", Kernel::Portable), 12, 35.0),
    (("bitboard", Kernel::Portable), ("bitboard", Kernel::Avx2), 14, 5.0),
    (("bitboard", Kernel::Portable), ("join", Kernel::Portable), 15, 8.0),
    (("bitboard", Kernel::Avx2), ("join", Kernel::Avx2), 16, 3.5),
];

fn main() -> ExitCode {
    // As a test, each way counts once and its count is checked; times are for a quiet machine.
    let turns = if std::env::args().any(|arg| arg == "--test") { 1 } else { TURNS };
    let mut passed = true;
    for (slower, faster, n, stored) in RATIOS {
        let name = format!("{} {} / {} {}, N = {n}", slower.0, slower.1, faster.0, faster.1);
        let (Some(slow), Some(fast)) = (count(slower, n), count(faster, n)) else {
            println!("{name}: skipped, not on this CPU or in this build");
            continue;
        };
        let (mut slowest, mut fastest) = (Duration::MAX, Duration::MAX);
        for _ in 0..turns {
            slowest = slowest.min(slow());
            fastest = fastest.min(fast());
        }
        let ratio = slowest.as_secs_f64() / fastest.as_secs_f64();
        let right = turns == 1 || ratio >= MARGIN * stored;
        let verdict = if right { "ok" } else { "LOST SPEED" };
        println!("{name}: {ratio:.2}, stored {stored:.2}: {verdict}");
        passed &= right;
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Counts and returns the time, if this build and CPU can.
fn count((algorithm, kernel): Way, n: u32) -> Option<impl Fn() -> Duration> {
    let algorithm = Algorithm::from_name(algorithm)?;
    kernel.is_available().then_some(move || {
        let count = Count::new(n).expect("a small board").algorithm(algorithm).kernel(kernel);
        let outcome = count.threads(1).run().expect("one thread can be started");
        assert_eq!(Some(outcome.solutions), known::solutions(n).map(u128::from));
        outcome.elapsed
    })
}
