//! The random oracle: Poseidon by its specification.
