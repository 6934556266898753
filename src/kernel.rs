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
    /// `NQUEENS_KERNEL` names when it is first asked, and all if it names none (the program refuses
    /// other values, the library takes them for none). So kernels can be compared, and doubted, in programs that do not choose one.
    #[must_use]
    pub fn is_allowed(self) -> bool {
        static MOST: OnceLock<Option<Kernel>> = OnceLock::new();
        let named = || Self::from_name(std::env::var_os(Self::VARIABLE)?.to_str()?);
        MOST.get_or_init(named).is_none_or(|most| self <= most)
    }
}

/// Stands for [`Kernel::Portable`] where others stand for theirs: every CPU can run it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

/// Makes everything that depends on the CPU features of the kernels; each is named once, below.
///
/// `$` is handed in, since a macro that makes macros cannot write it otherwise.
macro_rules! kernels {
    ($d:tt $($kernel:ident $with:ident [$($feature:tt)*])*) => {
        impl Kernel {
            /// The CPU features that this kernel needs and this CPU lacks.
            #[must_use]
            #[cfg(target_arch = "x86_64")]
            pub fn missing(self) -> Vec<&'static str> {
                match self {
                    Self::Portable => Vec::new(),
                    $(Self::$kernel => [$(($feature, is_x86_feature_detected!($feature))),*]
                        .into_iter()
                        .filter_map(|(feature, found)| (!found).then_some(feature))
                        .collect(),)*
                }
            }

            /// The CPU features that this kernel needs and this CPU lacks.
            #[must_use]
            #[cfg(not(target_arch = "x86_64"))]
            pub fn missing(self) -> Vec<&'static str> {
                match self {
                    Self::Portable => Vec::new(),
                    $(Self::$kernel)|* => vec!["x86-64"],
                }
            }
        }
        $(
            #[doc = concat!("Proof that this CPU has the instructions of [`Kernel::", stringify!($kernel), "`]:")]
            /// hot loops are methods of it, so that they are safe to call.
            #[cfg(target_arch = "x86_64")]
            #[derive(Debug, Clone, Copy)]
            pub(crate) struct $kernel(());

            #[cfg(target_arch = "x86_64")]
            impl $kernel {
                /// # Panics
                /// If this CPU lacks an instruction.
                pub(crate) fn of_this_cpu() -> Self {
                    let found = $(is_x86_feature_detected!($feature))&&*;
                    assert!(found, "this CPU lacks {:?}", Kernel::$kernel.missing());
                    Self(())
                }
            }

            #[doc = concat!("Methods of [`", stringify!($kernel), "`] that are compiled for all its CPU features.")]
            ///
            /// `fn name(cpu, a: A) -> B { … }` makes the safe method `name(self, a: A) -> B`. The body
            /// calls `cpu` what the caller calls `self`; it may use the instructions as they are. What
            /// is inlined into it is compiled for them as well, if it is `#[inline(always)]` for sure.
            /// A closure in it that uses instructions cannot be inlined into iterators of the standard
            /// library, which are not compiled for them: write a loop.
            #[cfg(target_arch = "x86_64")]
            macro_rules! $with {
                ($d(
                    $d(#[$d attribute:meta])*
                    $d visibility:vis fn $d name:ident(
                        $d cpu:pat_param $d(, $d argument:ident: $d type:ty)* $d(,)?
                    ) $d(-> $d output:ty)? $d body:block
                )*) => {$d(
                    $d(#[$d attribute])*
                    #[inline(always)]
                    $d visibility fn $d name(self $d(, $d argument: $d type)*) $d(-> $d output)? {
                        $(#[target_feature(enable = $feature)])*
                        #[inline]
                        fn compiled(
                            $d cpu: $crate::kernel::$kernel $d(, $d argument: $d type)*
                        ) $d(-> $d output)? $d body
                        // SAFETY: `self` proves that this CPU has the instructions.
                        unsafe { compiled(self $d(, $d argument)*) }
                    }
                )*};
            }
            #[cfg(target_arch = "x86_64")]
            pub(crate) use $with;
        )*
    };
}

// `avx512dq` is left out: no loop asks for it, every CPU that has the others has it, and LLVM makes two
// instructions of it for each addition under a mask (loops of `bitboard`: 86, 57 and 78 instructions
// instead of 81, 53 and 77).
kernels! { $
    Avx2 with_avx2 ["avx2" "bmi1" "bmi2" "popcnt"]
    Avx512 with_avx512 [
        "avx512f" "avx512bw" "avx512vl" "avx512vpopcntdq"
        "avx2" "bmi1" "bmi2" "popcnt"
    ]
}

#[cfg(target_arch = "x86_64")]
impl From<Avx512> for Avx2 {
    /// A CPU with the one has the other.
    #[inline(always)]
    fn from(_: Avx512) -> Self {
        Self(())
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
