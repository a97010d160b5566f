//! The random oracle: Poseidon by its specification.
//!
//! [`Spec`] is the permutation of one width over one field: round constants and matrix as the Poseidon paper (Grassi,
//! Khovratovich, Rechberger, Roy, Schofnegger, eprint 2019/458) and its reference script draw them, S-box x^5. The
//! permutation is computed with one state update of 2T - 1 products a partial round ([`Spec::permute`]), and round by
//! round as in the paper ([`Spec::permute_plain`]), the twin that the first is tested against. [`Recurrence`] has the
//! same facts as linear maps, for a circuit with one variable a partial round.
//!
//! [`Sponge`] hashes with it, and [`PoseidonRo`] is how folding code names an oracle without naming Poseidon.

mod cauchy;
mod error;
mod in_circuit;
mod matrix;
mod oracle;
mod partial_rounds;
mod permutation;
mod recurrence;
mod reference;
mod spec;
mod sponge;
mod tag;
mod transcript;
#[cfg(test)]
pub(crate) mod watched;

pub use error::Error;
pub use in_circuit::{CircuitOracle, CircuitOracleFor, CircuitSponge};
pub use oracle::{PoseidonRo, RandomOracle, RandomOracleFor};
pub use recurrence::{FirstInputs, Leave, NextInput, Recurrence};
pub use reference::{FULL_ROUNDS, WIDTH_MAX, WIDTH_MIN, partial_rounds};
pub use spec::Spec;
pub use sponge::Sponge;
pub use tag::Tag;
pub use transcript::{InCircuit, Transcript, Values};
