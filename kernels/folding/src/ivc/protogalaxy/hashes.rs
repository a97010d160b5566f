//! What the circuits hash, off the circuits.

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;

use super::state::State;
use crate::circuit::lookup;
use crate::gadgets::LimbParameters;
use crate::ivc::hashing::HashedState;
use crate::ivc::oracles::{Oracles, Use, absorb_challenges, absorb_fold, absorb_lift};
use crate::ivc::relaxed::Relaxed;
use crate::ivc::{encode, oracles};
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
    /// What is done with the co-processor's instances.
    pub(super) fn relaxed(&self) -> Relaxed<'_, F, RO> {
        Relaxed { oracles: &self.oracles, limbs: self.limbs, challenges: self.challenges[1] }
    }

    /// The challenges of a primary instance, which follow from its public input and its commitments but the last.
    pub(super) fn primary_challenges<C1: CurveAffine<ScalarExt = F>>(
        &self,
        instance: &Instance<C1>,
    ) -> Vec<F> {
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

    /// The transcript from which the first `β` are drawn.
    pub(super) fn lift_oracle<C1: CurveAffine<ScalarExt = F>>(
        &self,
        instance: &Instance<C1>,
    ) -> Oracle<F, RO> {
        let mut transcript = self.oracles.values(Use::Lift);
        absorb_lift(&mut transcript, &self.digest, &encode::primary_instance(instance, self.limbs));
        transcript.0
    }

    /// The transcript of a fold of the latest instance.
    pub(super) fn fold_oracle<C1, C2>(&self, state: &State<C1, C2>) -> Oracle<F, RO>
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine<Base = F, ScalarExt = C1::Base>,
    {
        let accumulator = self.primary_digest(state);
        let instance = encode::primary_instance(&state.latest, self.limbs);
        let mut transcript = self.oracles.values(Use::Fold);
        absorb_fold(&mut transcript, &self.digest, &accumulator, &instance);
        transcript.0
    }

    pub(super) fn primary_digest<C1, C2>(&self, state: &State<C1, C2>) -> F
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine<Base = F, ScalarExt = C1::Base>,
    {
        let hashed = encode::primary(&state.accumulator, self.limbs);
        hashed.digest(&mut self.oracles.values(oracles::Use::PrimaryAccumulator))
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
        let accumulators =
            [&self.primary_digest(state), &self.relaxed().digest_of(&state.secondary_accumulator)];
        hashed.digest(accumulators, &mut self.oracles.values(Use::State))
    }
}
