//! One fold: the prover commits to cross terms, the verifier draws one challenge of 128 bits.

use halo2curves::CurveAffine;
use halo2curves::ff::{Field as _, PrimeField};
use rayon::prelude::*;

use super::terms::cross_terms;
use super::{Accumulator, Error, RelaxedRelation};
use crate::relation::Instance;

/// What the prover sends: a commitment a cross term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<C> {
    /// Commitments to `T_1, .., T_{d-1}`.
    pub terms: Vec<C>,
}

/// An accumulator's vectors: Nova's `W`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness<F> {
    /// The vector, with `u` in the place of the constant.
    pub vector: Vec<F>,
    /// The error vector `E`: what each constraint comes to.
    pub error: Vec<F>,
}

impl<F: PrimeField> Witness<F> {
    /// The vectors of the accumulator of nothing.
    #[must_use]
    pub fn empty(relaxed: &RelaxedRelation<F>) -> Self {
        let relation = relaxed.relation();
        Self { vector: vec![F::ZERO; relation.layout().len()], error: vec![F::ZERO; relation.numbers()] }
    }
}

/// Folds a satisfying vector into the accumulator's vectors. `commit` commits to each cross term; `challenge` draws `r` after
/// all commitments: it must have absorbed the accumulator and the instance.
///
/// # Errors
/// What `commit` ends with.
pub fn prove<C: CurveAffine, E>(
    relaxed: &RelaxedRelation<C::ScalarExt>,
    witness: &mut Witness<C::ScalarExt>,
    incoming: &[C::ScalarExt],
    commit: impl FnOnce(&[Vec<C::ScalarExt>]) -> Result<Vec<C>, E>,
    challenge: impl FnOnce(&[C]) -> u128,
) -> Result<(Proof<C>, u128), E> {
    let terms = cross_terms(relaxed, &witness.vector, &witness.error, incoming);
    let commitments = commit(&terms)?;
    let challenge = challenge(&commitments);
    let r = C::ScalarExt::from_u128(challenge);
    witness.vector.par_iter_mut().zip(incoming).with_min_len(1 << 10).for_each(|(old, new)| *old += r * new);
    witness.error.par_iter_mut().enumerate().with_min_len(1 << 10).for_each(|(constraint, error)| {
        // E + r (T_1 + r (T_2 + ..)): T_d, and the incoming vector's own error, are 0.
        let horner = |sum, term: &Vec<C::ScalarExt>| (sum + term[constraint]) * r;
        *error += terms.iter().rev().fold(C::ScalarExt::ZERO, horner);
    });
    Ok((Proof { terms: commitments }, challenge))
}

/// The accumulator after a fold under the challenge that was drawn from the proof.
///
/// # Errors
/// When anything is not of the relation's shape.
pub fn verify<C: CurveAffine>(
    terms: usize,
    accumulator: &Accumulator<C>,
    incoming: &Instance<C>,
    proof: &Proof<C>,
    challenge: u128,
) -> Result<Accumulator<C>, Error> {
    let own = &accumulator.instance;
    let counts = [
        ("cross terms", terms, proof.terms.len()),
        ("commitments", own.commitments.len(), incoming.commitments.len()),
        ("public inputs", own.publics.len(), incoming.publics.len()),
        ("challenges", own.challenges.len(), incoming.challenges.len()),
    ];
    if let Some((of, expected, found)) = counts.into_iter().find(|(_, expected, found)| expected != found) {
        return Err(Error { of, expected, found });
    }
    let r = C::ScalarExt::from_u128(challenge);
    let instance = Instance::combination(&[(own, C::ScalarExt::ONE), (incoming, r)]);
    let horner = |sum: C::Curve, term: &C| (sum + *term) * r;
    let moved = proof.terms.iter().rev().fold(C::identity().into(), horner);
    Ok(Accumulator { instance, scale: accumulator.scale + r, error: (moved + accumulator.error).into() })
}
