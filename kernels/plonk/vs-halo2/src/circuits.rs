//! The circuits that are proven.

mod hashes;
mod wide;

use halo2_axiom::{halo2curves::bn256::Fr, plonk::Circuit};

pub(crate) use self::{
    hashes::{Hashes, Shape},
    wide::Wide,
};

/// A circuit with its witness, and one public value.
pub(crate) trait Statement: Circuit<Fr> {
    fn public(&self) -> Fr;
}
