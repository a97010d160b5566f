//! The verifier.

use super::statement::secondary_statement;
use super::{Accumulators, Error, Proof, VerifierKey};
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::{hyperkzg, ipa, spartan};

/// Checks that the claims of both accumulators hold for vectors that their commitments are to.
///
/// # Errors
/// [`Error`] says which claim or opening is refused, or what is not of the relations' shapes.
pub fn verify(key: &VerifierKey, accumulators: &Accumulators<'_>, proof: &Proof) -> Result<(), Error> {
    accumulators.check(key)?;
    let mut transcript = accumulators.transcript(key);

    let public = accumulators.primary_public();
    let statement = accumulators.primary_statement(&public);
    let evaluations = spartan::verify(&mut transcript, &key.primary_shape()?, &statement, &proof.primary)
        .map_err(Error::Primary)?;
    let opened = hyperkzg::Statement {
        commitments: &accumulators.primary.instance.commitments,
        point: &evaluations.point,
        evaluations: &evaluations.values,
    };
    hyperkzg::verify(&key.powers, &mut transcript, &opened, &proof.primary_opening)
        .map_err(Error::PrimaryOpening)?;

    let shape = key.secondary_shape()?;
    let public = accumulators.secondary_public();
    let statement = secondary_statement(&mut transcript, &shape, &public);
    let evaluations =
        spartan::verify(&mut transcript, &shape, &statement, &proof.secondary).map_err(Error::Secondary)?;
    let opened = ipa::Statement {
        commitments: &accumulators.secondary_commitments(),
        b: &ProductPolynomial::eq(&evaluations.point).table(),
        products: &evaluations.values,
    };
    ipa::verify(&key.inner_products(), &mut transcript, &opened, &proof.secondary_opening)
        .map_err(Error::SecondaryOpening)
}
