//! Folding by cross terms, as in Nova (eprint 2021/370), over relations of any degree (Sangria).
//!
//! An accumulator claims a **relaxed** relation: with the constant 1 replaced by `u` and every polynomial made
//! homogeneous in it, constraint `i` is `E_i` instead of 0. Folding commits to `d - 1` cross terms, vectors as long as
//! there are constraints, so it suits small relations of low degree; [`crate::protogalaxy`] suits the others.
//!
//! The letters of Nova, section 4: `U` is an [`Accumulator`] and `W` its [`Witness`]; `u` and `w` are the instance and the vector
//! that are folded in. `u` is also Nova's scalar in the place of the constant 1 ([`Accumulator::scale`]), `E` the error vector, whose
//! commitment is [`Accumulator::error`], and `T` the cross-term, of which there are `T_1, .., T_{d-1}` here ([`Proof::terms`]).

mod accumulator;
mod error;
mod fold;
pub mod in_circuit;
mod relaxed;
mod terms;

#[cfg(test)]
mod tests;

pub use accumulator::Accumulator;
pub use error::Error;
pub use fold::{Proof, Witness, prove, verify};
pub use relaxed::RelaxedRelation;
