//! Multilinear polynomials by their values on the hypercube.
//!
//! A polynomial in `k` variables is the slice of its `2^k` values. The first variable is the highest bit of the index,
//! so `values[i]` is the value at the bits of `i`, highest first, and a point is written `[x_1, …, x_k]` in that order.
//! A slice that is shorter means one that ends in zeros where a function says so.

mod bind;
mod evaluate;
mod product;

pub use bind::{bind_first, fold_last};
pub use evaluate::evaluate;
pub use product::ProductPolynomial;

/// Elements below which work is not shared among threads: some 50 µs of multiplications.
pub(crate) const PARALLEL_CHUNK: usize = 1 << 12;

#[cfg(test)]
mod tests;
