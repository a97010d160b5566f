//! What is claimed of all that was folded.

use halo2curves::CurveAffine;
use halo2curves::ff::Field as _;

use super::{FoldShape, Weights, perturbator::squarings};
use crate::poseidon::RandomOracle;
use crate::relation::{Instance, Relation};

/// The claim `Σ_i pow_i(β) f_i(z) = e` for the vector `z` behind an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator<C: CurveAffine> {
    /// Commitments to the vector, and its public part.
    pub instance: Instance<C>,
    /// The `β_j`.
    pub betas: Vec<C::ScalarExt>,
    /// The error `e`.
    pub error: C::ScalarExt,
}

impl<C: CurveAffine> Accumulator<C> {
    /// The first accumulator: an instance that should satisfy its relation, with `β_j = b^(2^j)` and `e = 0`.
    ///
    /// The claim says nothing unless `b` was drawn after the instance: the oracle must have absorbed all of it. For a
    /// `b` known before, vectors with `Σ_i pow_i(β) f_i(z) = 0` that satisfy nothing are easily found.
    pub fn lift(
        shape: &FoldShape,
        instance: Instance<C>,
        oracle: &mut impl RandomOracle<C::ScalarExt>,
    ) -> Self {
        let betas = squarings(oracle.squeeze(), shape.betas);
        Self { instance, betas, error: C::ScalarExt::ZERO }
    }

    /// Whether the claim holds for a vector, commitments and public part aside.
    #[must_use]
    pub fn claim_holds(&self, relation: &Relation<C::ScalarExt>, z: &[C::ScalarExt]) -> bool {
        let weights = Weights::new(&self.betas);
        let values = relation.values(z);
        let weighted = values.iter().enumerate().map(|(index, value)| weights.get(index) * value);
        weighted.sum::<C::ScalarExt>() == self.error
    }
}
