//! ProtoGalaxy (eprint 2023/1106): folds `L >= 1` satisfying vectors into an accumulator at the price of two
//! polynomials, whatever the degree of the relation.
//!
//! An accumulator claims that its vector has `Σ_i pow_i(β) f_i(z) = e`, where `pow_i(β)` is the product of those `β_j`
//! whose bit is set in `i`, over the relation's constraints `f_i`. The paper's `F` is the [`perturbator`], its `K` the
//! quotient of the [`combiner`].

pub mod combiner;
mod domain;
pub mod perturbator;
mod weights;

#[cfg(test)]
mod tests;

pub use domain::Domain;
pub use weights::{Weights, betas_for};
