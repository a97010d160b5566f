//! Commitments to vectors: keys, their caches, and powers of tau.
//!
//! A commitment is a sum of points of a key, one for each entry of the vector, times the entries. A key of 2^19
//! points serves every vector up to that length, and any part of a longer one (`commit_at`).
//!
//! Where the points come from:
//!
//! - [`CommitmentKey::setup`] hashes a label to the curve; nobody knows a relation between such points. The derivation,
//!   of a curve `y² = x³ + b` over a field of `p` elements:
//!
//!   ```text
//!   seed         = SHA-256("elastic-folding generators v1" | name length (u64) | name | label length (u64) | label)
//!   bytes(i, t)  = the first 65 bytes of SHAKE256(seed | i (u64) | t (u32))
//!   x(i, t)      = the first 64 of these bytes, as an integer, modulo p
//!   generator(i) = (x(i, t), y) for the least t for which x³ + b has square roots;
//!                  of the two, y is the one whose canonical form has the parity of byte 65
//!   ```
//!
//!   with the curve's name ([`Curve::NAME`]) and all integers little-endian.
//! - [`CommitmentKey::load_or_setup_cache`] keeps such keys in files.
//! - [`CommitmentKey::from_ptau`] reads powers of tau, which openings by pairing need.
//!
//! What computes the sums is an [`Accelerator`](crate::acceleration::Accelerator).

mod cache;
mod curve;
mod error;
mod generators;
mod key;
mod points;
mod ptau;
mod structured;
#[cfg(test)]
pub(crate) mod testing;

pub use self::curve::Curve;
pub use self::error::{CacheFault, Error, PtauFault};
pub use self::key::{CommitmentKey, KEY_SIZE_MAX};
pub use self::structured::StructuredPart;
