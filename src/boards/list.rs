//! All boards of a problem, streamed in lexicographic order, from one thread or many.
//!
//! The prefixes of the first rows are dealt out to the threads in turn, and the boards are collected
//! in the same turn, so the order is the same for any number of threads:
//!
//! ```text
//! prefix      0   1   2   3   4   5   6 …
//! thread      0   1   2   0   1   2   0 …         each sends its boards in blocks
//! collected   from 0 until its prefix ends, then from 1, from 2, from 0 …
//! ```
//!
//! Each thread walks over all prefixes by itself and skips those of the others, which costs little
//! next to what lies below them; so nobody keeps a list of them. Blocks wait in channels of bounded
//! length: a thread that is ahead waits, and memory stays flat however slowly boards are taken.
//!
//! Time: about 80 nodes of the search per board at `n` = 16. Memory: a few blocks of at most 4096
//! boards per thread.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::board::Board;
use super::search::{Search, Step};
use super::symmetry::is_fundamental;
use crate::builder::setting;
use crate::error::Error;
use crate::execute::{Stop, can_start_threads};
use crate::machine::{checked_threads, default_threads};
use crate::problem::Problem;

/// A block ends after so many boards …
const BLOCK_BOARDS: usize = 4096;
/// … or, if it holds a board, after so many queens placed (about 20 ms); this often, too, a search
/// looks whether it shall stop.
const BLOCK_NODES: u64 = 1 << 22;
/// Blocks that may wait for each thread.
const BLOCKS_WAITING: usize = 4;

/// A listing to be made. Each setting has a default; [`run`](Self::run) starts it.
///
/// # Examples
/// ```
/// use nqueens::List;
///
/// let mut boards = List::new(8)?.run()?;
/// assert_eq!(boards.next().unwrap().to_string(), "1 5 8 6 3 7 2 4");
/// assert_eq!(boards.count(), 91);
///
/// let fundamental = List::new(8)?.fundamental(true).threads(2).run()?;
/// assert_eq!(fundamental.count(), 12);
/// # Ok::<(), nqueens::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is listed before `run`"]
pub struct List {
    problem: Problem,
    fundamental: bool,
    threads: Option<usize>,
    stop: Stop,
}

impl List {
    /// All boards of `n` rows.
    ///
    /// # Errors
    /// [`Error::BoardTooLarge`] if `n` is above 32.
    pub fn new(n: u32) -> Result<Self, Error> {
        Ok(Self::of(Problem::new(n)?))
    }

    /// All boards of `problem`.
    pub fn of(problem: Problem) -> Self {
        Self { problem, fundamental: false, threads: None, stop: Stop::new() }
    }

    /// Whether to list only boards that are the smallest of their eight images.
    pub fn fundamental(mut self, fundamental: bool) -> Self {
        self.fundamental = fundamental;
        self
    }

    setting!(threads, stop);

    /// Starts the search and returns its boards as they are found.
    ///
    /// # Errors
    /// [`Error::ThreadCount`], [`Error::ThreadStart`], [`Error::Unsupported`] for toroidal boards.
    pub fn run(self) -> Result<Boards, Error> {
        let mut threads = checked_threads(self.threads.unwrap_or_else(default_threads))?;
        if threads > 1 && !can_start_threads() {
            threads = 1;
        }
        if self.problem.is_toroidal() {
            return Err(Error::Unsupported { what: "a listing of toroidal boards" });
        }
        let closed = Stop::new();
        let source = match threads {
            1 => Source::Here(Box::new(Worker::new(&self, &closed, 0, 1))),
            _ => Source::Threads(Vec::new(), 0),
        };
        let n = self.problem.n() as usize;
        let mut boards = Boards { n, source, block: Block::default(), taken: 0, closed };
        if let Source::Threads(started, _) = &mut boards.source {
            for turn in 0..threads {
                let worker = Worker::new(&self, &boards.closed, turn, threads);
                // Should this fail, dropping `boards` ends the threads that were started.
                let thread = Thread::start(worker);
                started.push(thread.map_err(|reason| Error::ThreadStart { threads, reason })?);
            }
        }
        Ok(boards)
    }
}

/// The boards of a [`List`], in lexicographic order. Dropping it ends the search.
///
/// It ends early if its [`Stop`] was requested; whoever holds that flag can tell.
#[derive(Debug)]
pub struct Boards {
    n: usize,
    source: Source,
    block: Block,
    /// Number of boards of `block` already returned.
    taken: usize,
    /// Ends the threads.
    closed: Stop,
}

impl Boards {
    /// Whether the next board can be had without waiting for the search. If not, it is a good time
    /// to flush the boards that came before.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.taken < self.block.len
    }
}

impl Iterator for Boards {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        while !self.is_ready() {
            self.block = self.source.next()?;
            self.taken = 0;
        }
        let start = self.taken * self.n;
        self.taken += 1;
        let columns = &self.block.columns[start..start + self.n];
        Some(Board::proven(columns.iter().map(|&column| column.into()).collect()))
    }
}

impl Drop for Boards {
    fn drop(&mut self) {
        self.closed.request();
        if let Source::Threads(threads, _) = &mut self.source {
            let handles = threads.drain(..).filter_map(Thread::close).collect::<Vec<_>>();
            handles.into_iter().for_each(|handle| _ = handle.join());
        }
    }
}

/// Boards that were found one after the other.
#[derive(Debug, Default)]
struct Block {
    /// `n` columns for each board.
    columns: Vec<u8>,
    /// Number of boards; boards of no rows have no columns.
    len: usize,
    /// Whether the prefix has no boards after these.
    ends_prefix: bool,
}

/// Where blocks come from.
#[derive(Debug)]
enum Source {
    Here(Box<Worker>),
    /// All threads, and the index of the one whose turn it is.
    Threads(Vec<Thread>, usize),
}

impl Source {
    /// The next block, or `None` after the last.
    fn next(&mut self) -> Option<Block> {
        match self {
            Self::Here(worker) => worker.next(),
            Self::Threads(threads, turn) => {
                // The thread that has no prefix left is the first whose turn comes to nothing, and
                // the others have none either.
                let block = threads[*turn].next()?;
                if block.ends_prefix {
                    *turn = (*turn + 1) % threads.len();
                }
                Some(block)
            }
        }
    }
}

/// A thread that searches, and the channel of its blocks.
#[derive(Debug)]
struct Thread {
    blocks: Receiver<Block>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    fn start(worker: Worker) -> Result<Self, String> {
        let (sender, blocks) = sync_channel(BLOCKS_WAITING);
        let name = format!("nqueens-list-{}", worker.turn);
        let search = move || send_all(worker, &sender);
        let handle = std::thread::Builder::new().name(name).spawn(search);
        Ok(Self { blocks, handle: Some(handle.map_err(|error| error.to_string())?) })
    }

    /// The next block, or `None` when the thread has ended.
    ///
    /// # Panics
    /// If the thread did.
    fn next(&mut self) -> Option<Block> {
        let block = self.blocks.recv().ok();
        if block.is_none()
            && let Some(handle) = self.handle.take()
        {
            handle.join().expect("a listing must not look complete when its thread failed");
        }
        block
    }

    /// Closes the channel, so that the thread ends at its next block.
    fn close(self) -> Option<JoinHandle<()>> {
        self.handle
    }
}

/// Sends all blocks of `worker`, or as many as are wanted.
fn send_all(worker: Worker, sender: &SyncSender<Block>) {
    for block in worker {
        if sender.send(block).is_err() {
            return;
        }
    }
}

/// Searches every `threads`-th prefix, and returns what it finds block by block.
#[derive(Debug)]
struct Worker {
    n: usize,
    prefixes: Search,
    /// The prefix in hand, if any.
    search: Option<Search>,
    fundamental: bool,
    turn: usize,
    /// Prefixes to be skipped before the next own one.
    skip: usize,
    threads: usize,
    stop: Stop,
    closed: Stop,
}

impl Worker {
    fn new(list: &List, closed: &Stop, turn: usize, threads: usize) -> Self {
        let n = list.problem.n() as usize;
        let mut rows: Vec<u64> = list.problem.rows().iter().map(|&row| row.into()).collect();
        if list.fundamental && n > 0 {
            // The smaller of two mirror images has its first queen on the left, or in the middle.
            rows[0] &= (1 << n.div_ceil(2)) - 1;
        }
        Self {
            n,
            prefixes: Search::new(&rows, depth(n)),
            search: None,
            fundamental: list.fundamental,
            turn,
            skip: turn,
            threads,
            stop: list.stop.clone(),
            closed: closed.clone(),
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_requested() || self.closed.is_requested()
    }

    /// The search below the next prefix of this worker.
    fn next_prefix(&mut self) -> Option<Search> {
        for _ in 0..=self.skip {
            if self.prefixes.advance(u64::MAX) == Step::Done {
                return None;
            }
        }
        self.skip = self.threads - 1;
        Some(self.prefixes.below(self.n))
    }
}

impl Iterator for Worker {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let mut search = match self.search.take() {
            Some(search) => search,
            None => self.next_prefix()?,
        };
        let mut block = Block::default();
        let mut pause = search.nodes() + BLOCK_NODES;
        while block.len < BLOCK_BOARDS {
            match search.advance(pause - search.nodes()) {
                Step::Found if !self.fundamental || is_fundamental(search.columns()) => {
                    block.columns.extend_from_slice(search.columns());
                    block.len += 1;
                }
                Step::Found => {}
                Step::Done => {
                    block.ends_prefix = true;
                    break;
                }
                Step::Paused if self.is_stopped() => return None,
                Step::Paused => {
                    pause = search.nodes() + BLOCK_NODES;
                    if block.len > 0 {
                        break;
                    }
                }
            }
        }
        if !block.ends_prefix {
            self.search = Some(search);
        }
        (!self.is_stopped()).then_some(block)
    }
}

/// Number of rows of a prefix: so many that the boards of one prefix fit the blocks that may wait.
fn depth(n: usize) -> usize {
    (n / 4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_ends_the_threads_in_the_middle_of_a_search() {
        let mut boards = List::new(32).unwrap().threads(3).run().unwrap();
        assert!(!boards.is_ready());
        drop(boards);
        boards = List::new(14).unwrap().threads(3).run().unwrap();
        assert_eq!(boards.next().unwrap().columns()[..3], [0, 2, 4]);
        drop(boards);
    }

    #[test]
    fn a_stop_ends_the_listing() {
        for threads in [1, 2] {
            let stop = Stop::new();
            let mut boards = List::new(18).unwrap().threads(threads).stop(&stop).run().unwrap();
            assert!(boards.next().is_some());
            stop.request();
            let after = boards.count();
            assert!(after < 100 * BLOCK_BOARDS, "{after}");
        }
        assert!(List::new(8).unwrap().threads(0).run().is_err());
        assert!(List::new(8).unwrap().threads(crate::MAX_THREADS + 1).run().is_err());
    }
}
