//! The contexts that each comparison is made in.

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use zkaccel::{Backend, Config, Context, Isa, Status};

/// Calls `compare` in a context for each set of instructions that this CPU has, with two threads.
pub(crate) fn for_each_isa(compare: impl Fn(&Context)) {
    for isa in [Isa::Portable, Isa::Adx, Isa::Ifma] {
        match Context::new(&Config { backend: Backend::Cpu, threads: 2, isa, ..Config::default() }) {
            Ok(context) => compare(&context),
            Err(error) => assert!(error.status() == Status::Unsupported && isa != Isa::Portable, "{error}"),
        }
    }
}

/// The same numbers in each run.
pub(crate) fn random() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(20_261_122)
}
