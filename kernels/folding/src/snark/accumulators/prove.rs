//! The prover.

use halo2curves::bn256::Fr;
use halo2curves::grumpkin;

use super::statement::secondary_statement;
use super::{Accumulators, Error, Proof, ProverKey};
use crate::cross_term;
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::{hyperkzg, ipa, spartan};

/// The vectors behind the accumulators.
#[derive(Clone, Copy, Debug)]
pub struct Witnesses<'a> {
    /// All of the primary vector, from the constant 1 on.
    pub primary: &'a [Fr],
    /// The secondary vectors.
    pub secondary: &'a cross_term::Witness<grumpkin::Fr>,
}

/// Proves the claims of both accumulators. Claims that do not hold give a proof that is refused.
///
/// # Errors
/// [`Error`] for accumulators and vectors that are not of the relations' shapes, and for points off their curves.
pub fn prove(
    key: &ProverKey<'_>,
    accumulators: &Accumulators<'_>,
    witnesses: &Witnesses<'_>,
) -> Result<Proof, Error> {
    let verifier = key.verifier;
    accumulators.check(verifier)?;
    let mut transcript = accumulators.transcript(verifier);

    let shape = verifier.primary_shape()?;
    let public = accumulators.primary_public();
    let witness = spartan::Witness { z: witnesses.primary, errors: &[] };
    let statement = accumulators.primary_statement(&public);
    let (primary, evaluations) =
        spartan::prove(&mut transcript, &shape, &statement, &witness).map_err(Error::Primary)?;
    let layout = verifier.primary.layout();
    let rounds: Vec<_> =
        (0..layout.rounds.len()).map(|round| &witnesses.primary[layout.round(round)]).collect();
    let opened = hyperkzg::Statement {
        commitments: &accumulators.primary.instance.commitments,
        point: &evaluations.point,
        evaluations: &evaluations.values,
    };
    let primary_opening = hyperkzg::prove(key.powers_of_tau, &mut transcript, &opened, &rounds)
        .map_err(Error::PrimaryOpening)?;

    let shape = verifier.secondary_shape()?;
    let public = accumulators.secondary_public();
    let vectors = witnesses.secondary;
    let witness = spartan::Witness { z: &vectors.vector, errors: &vectors.error };
    let statement = secondary_statement(&mut transcript, &shape, &public);
    let (secondary, evaluations) =
        spartan::prove(&mut transcript, &shape, &statement, &witness).map_err(Error::Secondary)?;
    let layout = verifier.secondary.relation().layout();
    let rounds = (0..layout.rounds.len()).map(|round| &vectors.vector[layout.round(round)]);
    let committed: Vec<_> = rounds.chain([vectors.error.as_slice()]).collect();
    let opened = ipa::Statement {
        commitments: &accumulators.secondary_commitments(),
        b: &ProductPolynomial::eq(&evaluations.point).table(),
        products: &evaluations.values,
    };
    let secondary_opening = ipa::prove(&verifier.inner_products(), &mut transcript, &opened, &committed)
        .map_err(Error::SecondaryOpening)?;
    Ok(Proof { primary, primary_opening, secondary, secondary_opening })
}
