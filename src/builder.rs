//! The settings that several builders have in common: one name, one meaning and one text for each.

/// Methods that set the field of the same name: `setting!(threads, stop)` inside an `impl`.
macro_rules! setting {
    ($($name:ident),+) => { $($crate::builder::setting!(@ $name);)+ };
    (@ algorithm) => {
        /// Counts with `algorithm`; default: [`Algorithm::auto`].
        pub fn algorithm(mut self, algorithm: $crate::Algorithm) -> Self {
            self.algorithm = Some(algorithm);
            self
        }
    };
    (@ kernel) => {
        /// Uses the instructions of `kernel`; default: [`Kernel::best`](crate::Kernel::best).
        pub fn kernel(mut self, kernel: $crate::Kernel) -> Self {
            self.kernel = Some(kernel);
            self
        }
    };
    (@ threads) => {
        /// Works on `threads` threads, from 1 to 4096, or on fewer if there is less to do; default: one
        /// for each CPU that this process may use. A call from inside a rayon pool uses that pool.
        pub fn threads(mut self, threads: usize) -> Self {
            self.threads = Some(threads);
            self
        }
    };
    (@ memory) => {
        /// Takes at most about this many bytes for all threads together; default: half of what is
        /// available. The join splits its lists further where it must, and gets slower.
        pub fn memory(mut self, bytes: u64) -> Self {
            self.memory = Some(bytes);
            self
        }
    };
    (@ observer) => {
        /// Tells `observer` how far the call is.
        pub fn observer(mut self, observer: &'a dyn $crate::Observer) -> Self {
            self.observer = observer;
            self
        }
    };
    (@ stop) => {
        /// Ends the call early when `stop` is requested.
        pub fn stop(mut self, stop: &$crate::Stop) -> Self {
            self.stop = stop.clone();
            self
        }
    };
}

pub(crate) use setting;
