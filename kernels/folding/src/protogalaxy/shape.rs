//! The numbers that a verifier has to know of a relation.

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;

use super::{Accumulator, Domain, Error, Proof, betas_for};
use crate::relation::{Instance, Relation};

/// The lengths of all that goes into a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldShape {
    /// How many instances come in: `L`, at least 1.
    pub incoming: usize,
    /// How many `β` there are: `t`.
    pub betas: usize,
    /// The relation's degree `d`.
    pub degree: usize,
    /// Commitments of an instance.
    pub commitments: usize,
    /// Public inputs of an instance.
    pub publics: usize,
    /// Challenges of an instance.
    pub challenges: usize,
}

impl FoldShape {
    /// The shape for folding this many instances of a relation at once.
    #[must_use]
    pub fn new<F: PrimeField>(relation: &Relation<F>, incoming: usize) -> Self {
        let layout = relation.layout();
        Self {
            incoming,
            betas: betas_for(relation.numbers()),
            degree: relation.degree(),
            commitments: layout.rounds.len(),
            publics: layout.publics,
            challenges: layout.challenges,
        }
    }

    /// How many coefficients the quotient has.
    #[must_use]
    pub fn quotient_len(&self) -> usize {
        Domain::new(self.incoming).quotient_len(self.degree)
    }

    /// Compares all lengths.
    pub(super) fn check<C: CurveAffine>(
        &self,
        accumulator: &Accumulator<C>,
        incoming: &[&Instance<C>],
        proof: &Proof<C::ScalarExt>,
    ) -> Result<(), Error> {
        let equal = |what, of, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, of, expected, found }) }
        };
        equal("the fold", "instances", self.incoming, incoming.len())?;
        equal("the accumulator", "betas", self.betas, accumulator.betas.len())?;
        equal("the proof", "coefficients of the perturbator", self.betas, proof.perturbator.len())?;
        equal("the proof", "coefficients of the quotient", self.quotient_len(), proof.quotient.len())?;
        for instance in std::iter::once(&accumulator.instance).chain(incoming.iter().copied()) {
            equal("an instance", "commitments", self.commitments, instance.commitments.len())?;
            equal("an instance", "public inputs", self.publics, instance.publics.len())?;
            equal("an instance", "challenges", self.challenges, instance.challenges.len())?;
        }
        Ok(())
    }
}
