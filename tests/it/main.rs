//! The built binary as its users meet it: one program of tests, so that it is linked once.

mod boards;
mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod documents;
mod machine;
#[cfg_attr(not(unix), allow(dead_code, reason = "some tests are for Unix alone"))]
mod program;
mod runs;
#[cfg(target_os = "linux")]
mod system;
mod tasks;
