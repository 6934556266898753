//! The built binary as its users meet it: one program of tests, so that it is linked once.

mod boards;
mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod documents;
mod machine;
mod program;
mod runs;
mod tasks;
