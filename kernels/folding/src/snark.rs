//! The succinct proof: sum-checks and polynomial openings.

pub mod encoding;
pub mod hyperkzg;
pub mod multilinear;
pub mod sumcheck;
pub mod transcript;

#[cfg(test)]
mod testing;
