//! What circuits compute of instances of the other curve, off the circuits.

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;

use super::Relaxed;
use crate::circuit::lookup;
use crate::gadgets::bits::low_number_of;
use crate::ivc::encode;
use crate::ivc::oracles::{Use, absorb_challenges, absorb_fold};
use crate::poseidon::{CircuitOracleFor, Transcript as _};
use crate::relation::Instance;

impl<F: PrimeField, RO: CircuitOracleFor<F>> Relaxed<'_, F, RO> {
    /// The challenges of an instance, which follow from its public inputs and its commitments but the last: short numbers
    /// and powers of one.
    pub(in crate::ivc) fn challenges_of<C: CurveAffine<Base = F>>(
        &self,
        parameters: F,
        instance: &Instance<C>,
    ) -> Vec<C::ScalarExt> {
        if self.challenges == 0 {
            return Vec::new();
        }
        let hashed = encode::secondary_instance(instance, self.limbs);
        let mut transcript = self.oracles.values(Use::SecondaryChallenges);
        absorb_challenges(&mut transcript, &parameters, &hashed, 2);
        let [r, combiner] = [transcript.squeeze(), transcript.squeeze()];
        let short = |drawn| C::ScalarExt::from_u128(low_number_of(&drawn));
        lookup::challenge_values(self.challenges, short(r), short(combiner))
    }

    /// The challenge of a fold.
    pub(in crate::ivc) fn challenge_of_fold<C: CurveAffine<Base = F>>(
        &self,
        parameters: F,
        accumulator: &crate::cross_term::Accumulator<C>,
        instance: &Instance<C>,
        terms: &[C],
    ) -> u128 {
        let mut transcript = self.oracles.values(Use::CrossTerms);
        let hashed = encode::secondary_instance(instance, self.limbs);
        absorb_fold(&mut transcript, &parameters, &self.digest_of(accumulator), &hashed);
        for term in terms {
            transcript.absorb_all(&encode::coordinates(term));
        }
        low_number_of(&transcript.squeeze())
    }

    /// The digest of an accumulator.
    pub(in crate::ivc) fn digest_of<C: CurveAffine<Base = F>>(
        &self,
        accumulator: &crate::cross_term::Accumulator<C>,
    ) -> F {
        encode::secondary(accumulator, self.limbs).digest(&mut self.oracles.values(Use::SecondaryAccumulator))
    }
}
