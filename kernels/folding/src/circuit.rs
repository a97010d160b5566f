//! Circuits on variables: what a verifier inside a circuit is written in.
//!
//! The same code makes the shape, once, and the witness, at each step: a [`Circuit`] always computes values and records
//! rows only when it was made to. Sums and constant multiples ([`Linear`]) cost nothing; a variable costs one committed
//! value, a row its evaluation when it is folded.

mod arithmetic;
mod builder;
#[cfg(test)]
mod dishonest_witness;
mod gate;
mod linear;
pub mod lookup;
mod shape;
mod step;

#[cfg(test)]
mod tests;

pub use builder::Circuit;
pub use gate::Gate;
pub use linear::{Linear, Variable};
pub use shape::CircuitShape;
pub use step::PlacedStep;
