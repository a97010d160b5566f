//! What the circuits hash, off the circuits.

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;

use super::hashing::HashedState;
use super::oracles::{Use, absorb_challenges, absorb_fold, absorb_lift};
use super::oracles::Oracles;
use super::state::State;
use super::{encode, oracles};
use crate::circuit::lookup;
use crate::gadgets::LimbParameters;
use crate::gadgets::bits::low_number_of;
use crate::poseidon::{CircuitOracleFor, RandomOracleFor, Transcript as _};
use crate::relation::Instance;

type Oracle<F, RO> = <RO as RandomOracleFor<F>>::Oracle;

/// What every hash of a computation depends on.
pub(super) struct Hashes<F: PrimeField, RO: CircuitOracleFor<F>> {
    pub(super) oracles: Oracles<F, RO>,
    pub(super) limbs: LimbParameters,
    /// The digest of the parameters.
    pub(super) digest: F,
    /// How many challenges an instance of either circuit has.
    pub(super) challenges: [usize; 2],
}

impl<F: PrimeField, RO: CircuitOracleFor<F>> Hashes<F, RO> {
    /// The challenges of a primary instance, which follow from its public input and its commitments but the last.
    pub(super) fn primary_challenges<C1: CurveAffine<ScalarExt = F>>(&self, instance: &Instance<C1>) -> Vec<F> {
        let count = self.challenges[0];
        if count == 0 {
            return Vec::new();
        }
        let hashed = encode::primary_instance(instance, self.limbs);
        let mut transcript = self.oracles.values(Use::PrimaryChallenges);
        absorb_challenges(&mut transcript, &self.digest, &hashed, encode::packed_point_len::<C1>(self.limbs));
        let [r, combiner] = [transcript.squeeze(), transcript.squeeze()];
        lookup::challenge_values(count, r, combiner)
    }

    /// The challenges of a secondary instance: short numbers and powers of one.
    pub(super) fn secondary_challenges<C2: CurveAffine<Base = F>>(&self, instance: &Instance<C2>) -> Vec<C2::ScalarExt> {
        let count = self.challenges[1];
        if count == 0 {
            return Vec::new();
        }
        let hashed = encode::secondary_instance(instance, self.limbs);
        let mut transcript = self.oracles.values(Use::SecondaryChallenges);
        absorb_challenges(&mut transcript, &self.digest, &hashed, 2);
        let [r, combiner] = [transcript.squeeze(), transcript.squeeze()];
        let short = |drawn| C2::ScalarExt::from_u128(low_number_of(&drawn));
        lookup::challenge_values(count, short(r), short(combiner))
    }

    /// The transcript from which the first `β` are drawn.
    pub(super) fn lift_oracle<C1: CurveAffine<ScalarExt = F>>(&self, instance: &Instance<C1>) -> Oracle<F, RO> {
        let mut transcript = self.oracles.values(Use::Lift);
        absorb_lift(&mut transcript, &self.digest, &encode::primary_instance(instance, self.limbs));
        transcript.0
    }

    /// The transcript of a fold of the incoming instance.
    pub(super) fn fold_oracle<C1, C2>(&self, state: &State<C1, C2>) -> Oracle<F, RO>
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine<Base = F, ScalarExt = C1::Base>,
    {
        let accumulator = self.primary_digest(state);
        let instance = encode::primary_instance(&state.incoming, self.limbs);
        let mut transcript = self.oracles.values(Use::Fold);
        absorb_fold(&mut transcript, &self.digest, &accumulator, &instance);
        transcript.0
    }

    /// The challenge of a fold by cross terms.
    pub(super) fn cross_challenge<C1, C2>(
        &self,
        state: &State<C1, C2>,
        instance: &Instance<C2>,
        terms: &[C2],
    ) -> u128
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine<Base = F, ScalarExt = C1::Base>,
    {
        let mut transcript = self.oracles.values(Use::CrossTerms);
        let hashed = encode::secondary_instance(instance, self.limbs);
        absorb_fold(&mut transcript, &self.digest, &self.secondary_digest(state), &hashed);
        for term in terms {
            transcript.absorb_all(&encode::coordinates(term));
        }
        low_number_of(&transcript.squeeze())
    }

    fn primary_digest<C1, C2>(&self, state: &State<C1, C2>) -> F
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine<Base = F, ScalarExt = C1::Base>,
    {
        let hashed = encode::primary(&state.accumulator, self.limbs);
        hashed.digest(&mut self.oracles.values(oracles::Use::PrimaryAccumulator))
    }

    fn secondary_digest<C1, C2>(&self, state: &State<C1, C2>) -> F
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine<Base = F, ScalarExt = C1::Base>,
    {
        let hashed = encode::secondary(&state.secondary_accumulator, self.limbs);
        hashed.digest(&mut self.oracles.values(oracles::Use::SecondaryAccumulator))
    }

    /// The hash of a state: the public input of its last instance.
    pub(super) fn state_hash<C1, C2>(&self, state: &State<C1, C2>) -> F
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine<Base = F, ScalarExt = C1::Base>,
    {
        let hashed = HashedState {
            parameters: self.digest,
            steps: F::from(state.steps),
            primary_start: state.primary_start.clone(),
            primary: state.primary.clone(),
            secondary_start: encode::pack(&state.secondary_start, self.limbs),
            secondary: encode::pack(&state.secondary, self.limbs),
        };
        let accumulators = [&self.primary_digest(state), &self.secondary_digest(state)];
        hashed.digest(accumulators, &mut self.oracles.values(Use::State))
    }
}
