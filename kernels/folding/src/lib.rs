//! Incrementally verifiable computation over PLONKish step circuits.
//!
//! A step circuit says what one step of a computation does; this library proves that `n` steps were done, at a cost
//! a step that does not depend on `n`, and compresses the result into a proof of a few kilobytes. What is folded, and
//! why that is sound, is in `docs/soundness.md` of this crate.

pub mod acceleration;
pub mod circuit;
pub mod commitment;
pub mod cross_term;
mod durable;
pub mod frontend;
pub mod gadgets;
pub mod ivc;
mod polynomial;
pub mod poseidon;
pub mod prelude;
pub mod protogalaxy;
pub mod relation;
pub mod snark;
mod warning;

/// The examples of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
