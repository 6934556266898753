//! The instructions that hot loops may use: found at run time, chosen once.
//!
//! The same binary runs on every CPU of its kind. Hot loops exist once per kernel, and all kernels
//! give the same results for every unit.

use std::fmt;
use std::sync::OnceLock;

/// An instruction set for the hot loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kernel {
    /// Plain Rust for every CPU, without instructions chosen by name.
    Portable,
    /// 256-bit vectors and bit manipulation: x86-64 from Haswell (2013) and Zen on.
    Avx2,
    /// 512-bit vectors with compression and population count: x86-64 from Ice Lake and Zen 4 on.
    Avx512,
}

impl Kernel {
    /// All kernels, slowest first.
    pub const ALL: &'static [Self] = &[Self::Portable, Self::Avx2, Self::Avx512];

    /// The environment variable that names the best kernel to be used.
    pub const VARIABLE: &'static str = "NQUEENS_KERNEL";

    /// Its name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The kernel of this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kernel| kernel.name() == name)
    }

    /// The kernels that this CPU can run, slowest first; never empty.
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::ALL.iter().copied().filter(|kernel| kernel.is_available()).collect()
    }

    /// The fastest kernel that this CPU can run.
    #[must_use]
    pub fn best() -> Self {
        Self::ALL.iter().copied().rfind(|kernel| kernel.is_available()).unwrap_or(Self::Portable)
    }

    /// Whether this CPU has all instructions of this kernel, and it [is allowed](Self::is_allowed).
    #[must_use]
    pub fn is_available(self) -> bool {
        self.is_allowed() && self.missing().is_empty()
    }

    /// Whether this process may use it: all kernels up to the one that the environment variable
    /// `NQUEENS_KERNEL` names when it is first asked, and all if it names none. So kernels can be
    /// compared, and doubted, in programs that do not choose one.
    #[must_use]
    pub fn is_allowed(self) -> bool {
        static MOST: OnceLock<Option<Kernel>> = OnceLock::new();
        let named = || Self::from_name(std::env::var_os(Self::VARIABLE)?.to_str()?);
        MOST.get_or_init(named).is_none_or(|most| self <= most)
    }

    /// The CPU features that this kernel needs and this CPU lacks.
    #[cfg(target_arch = "x86_64")]
    #[must_use]
    pub fn missing(self) -> Vec<&'static str> {
        macro_rules! missing {
            ($($feature:tt)*) => {
                [$(($feature, is_x86_feature_detected!($feature))),*]
                    .into_iter()
                    .filter_map(|(feature, found)| (!found).then_some(feature))
                    .collect()
            };
        }
        match self {
            Self::Portable => Vec::new(),
            Self::Avx2 => missing!("avx2" "bmi1" "bmi2" "popcnt"),
            Self::Avx512 => missing!(
                "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vpopcntdq"
                "avx2" "bmi1" "bmi2" "popcnt"
            ),
        }
    }

    /// The CPU features that this kernel needs and this CPU lacks.
    #[cfg(not(target_arch = "x86_64"))]
    #[must_use]
    pub fn missing(self) -> Vec<&'static str> {
        match self {
            Self::Portable => Vec::new(),
            Self::Avx2 | Self::Avx512 => vec!["x86-64"],
        }
    }
}

/// Proofs that this CPU has the instructions of a kernel: its hot loops ask for one, so that they
/// are safe to call.
macro_rules! proofs {
    ($($kernel:ident)*) => {$(
        #[cfg(target_arch = "x86_64")]
        #[doc = concat!("Proof that this CPU has the instructions of [`Kernel::", stringify!($kernel), "`].")]
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $kernel(());

        #[cfg(target_arch = "x86_64")]
        impl $kernel {
            /// # Panics
            /// If this CPU lacks an instruction.
            pub(crate) fn of_this_cpu() -> Self {
                let missing = Kernel::$kernel.missing();
                assert!(missing.is_empty(), "this CPU lacks {missing:?}");
                Self(())
            }
        }
    )*};
}

proofs!(Avx2 Avx512);

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// A CPU with the one has the other.
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
