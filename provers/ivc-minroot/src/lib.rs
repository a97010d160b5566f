//! MinRoot over bn256's scalars: `x' = (x + y)^(1/5)`, `y' = x` (Khovratovich, Maller, Tiwari, "MinRoot: Candidate
//! Sequential Function for Ethereum VDF", eprint 2022/1626).
//!
//! A root takes some 250 squarings to find, one after the other, and three products to check. [`evaluate`] finds them,
//! [`MinRootCircuit`] checks a step of them.

mod circuit;
mod function;

pub use circuit::{MinRootCircuit, MinRootConfig};
pub use function::{Evaluation, evaluate};
