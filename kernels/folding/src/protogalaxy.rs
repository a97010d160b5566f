//! ProtoGalaxy (eprint 2023/1106): folds `L >= 1` satisfying vectors into an accumulator at the price of two
//! polynomials, whatever the degree of the relation.
//!
//! An accumulator claims that its vector has `Σ_i pow_i(β) f_i(z) = e`, where `pow_i(β)` is the product of those `β_j`
//! whose bit is set in `i`, over the relation's constraints `f_i`. The paper's `F` is called the perturbator here, its
//! `G` the combiner, its `k` instances that are folded in are `incoming`.

mod accumulator;
mod combiner;
mod domain;
mod error;
mod fold;
pub mod in_circuit;
mod perturbator;
mod shape;
mod weights;

#[cfg(test)]
mod tests;

pub use accumulator::Accumulator;
pub use domain::Domain;
pub use error::Error;
pub use fold::{Challenged, Folded, Proof, challenge, prove, verify};
pub use shape::FoldShape;
pub use weights::{Weights, betas_for};
