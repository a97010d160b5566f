//! What a verifier inside a circuit computes with: bits, integers of the other field, points.
//!
//! A value is **full-size** when it is as long as the field, **small** when it is a bit or a digit of two bits: a small one
//! costs a commitment a twentieth of a full one, so what each gadget takes of both is said, and pinned by tests.

pub mod bits;
pub mod ecc;
pub mod limbs;
pub mod nonnative;

mod below;
mod error;
mod integer;
mod reduce;

#[cfg(test)]
mod testing;

pub use bits::Short;
pub use ecc::{Multiplier, NativeCurve, Point};
pub use error::Error;
pub use limbs::{LimbParameters, pack_limbs};
pub use nonnative::{NonNative, ShortLimbs};
