//! Commitments to vectors: keys, their caches, and powers of tau.

mod accelerator;
mod curve;
#[expect(
    clippy::cast_possible_truncation,
    reason = "a key has at most 2^26 points, a scalar at most 256 bits"
)]
mod msm;

pub use self::accelerator::{Accelerator, Cpu};
pub use self::curve::Curve;
