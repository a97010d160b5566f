//! What a verifier sees of a satisfying vector.

use halo2curves::CurveAffine;

/// The public part of a vector: commitments to its rounds, and the entries that are not committed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance<C: CurveAffine> {
    /// One a round.
    pub commitments: Vec<C>,
    /// The public inputs.
    pub publics: Vec<C::ScalarExt>,
    /// The challenges, which a verifier computes from the commitments of earlier rounds.
    pub challenges: Vec<C::ScalarExt>,
}

impl<C: CurveAffine> Instance<C> {
    /// The combination of instances with these factors; commitments, inputs and challenges alike.
    ///
    /// # Panics
    /// When there are no instances, or their shapes differ, which is a mistake of the caller.
    #[must_use]
    pub fn combination(terms: &[(&Self, C::ScalarExt)]) -> Self {
        let sum = |part: fn(&Self) -> &Vec<C::ScalarExt>| {
            let entry = |index: usize| terms.iter().map(|(term, factor)| part(term)[index] * factor).sum();
            (0..part(terms[0].0).len()).map(entry).collect()
        };
        let commitment = |index: usize| {
            let points = terms.iter().map(|(term, factor)| term.commitments[index] * *factor);
            points.fold(C::identity().into(), |sum: C::Curve, point| sum + point).into()
        };
        Self {
            commitments: (0..terms[0].0.commitments.len()).map(commitment).collect(),
            publics: sum(|term| &term.publics),
            challenges: sum(|term| &term.challenges),
        }
    }
}
