//! What is claimed of all that was folded.

use halo2curves::CurveAffine;
use halo2curves::ff::Field as _;

use super::RelaxedRelation;
use crate::relation::{Instance, Layout};

/// The claim that a vector starting with `u` gives each homogeneous constraint the value that an error vector has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator<C: CurveAffine> {
    /// Commitments to the vector, and its public part.
    pub instance: Instance<C>,
    /// Nova's `u`, in the place of the constant 1.
    pub scale: C::ScalarExt,
    /// The commitment to the error vector `E`, which has an entry a constraint.
    pub error: C,
}

impl<C: CurveAffine> Accumulator<C> {
    /// The accumulator of nothing: every vector is 0, `u` too, and so is every homogeneous constraint.
    #[must_use]
    pub fn empty(layout: &Layout) -> Self {
        let zeros = |count| vec![C::ScalarExt::ZERO; count];
        let instance = Instance {
            commitments: vec![C::identity(); layout.rounds.len()],
            publics: zeros(layout.publics),
            challenges: zeros(layout.challenges),
        };
        Self { instance, scale: C::ScalarExt::ZERO, error: C::identity() }
    }

    /// Whether the claim holds for a vector and an error vector, commitments and public part aside.
    #[must_use]
    pub fn claim_holds(
        &self,
        relaxed: &RelaxedRelation<C::ScalarExt>,
        z: &[C::ScalarExt],
        error: &[C::ScalarExt],
    ) -> bool {
        z[Layout::ONE] == self.scale && relaxed.relation().values(z) == error
    }
}
