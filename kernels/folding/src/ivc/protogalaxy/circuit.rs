//! The primary circuit: checks the state that it is given, folds the instance that made it, folds the co-processor's
//! instance of this execution, runs the step, and exposes the hash of the next state.

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;

use super::state::State;
use crate::circuit::{Circuit, Linear, PlacedStep, lookup};
use crate::gadgets::ecc::{NativeCurve, Point};
use crate::gadgets::{NonNative, Short, ShortLimbs};
use crate::ivc::assigned::{
    Form, NonNativePoint, PrimaryInstance, hashed_primary, last_witnesses, non_native_point, packed,
    witnesses,
};
use crate::ivc::encode::packed_point_len;
use crate::ivc::hashing::HashedState;
use crate::ivc::oracles::{Use, absorb_challenges, absorb_fold, absorb_lift};
use crate::ivc::relaxed::{FoldInputs, Relaxed};
use crate::ivc::step::StepValues;
use crate::poseidon::{CircuitOracleFor, Transcript as _};
use crate::protogalaxy;
use crate::protogalaxy::in_circuit::{Scalars, squarings};
use crate::relation::Instance;

/// What does not change from one execution to the next.
pub(super) struct PrimaryCircuit<'a, F: PrimeField, RO: CircuitOracleFor<F>> {
    /// The oracle, the limbs, and what is done with the co-processor's instances.
    pub(super) relaxed: Relaxed<'a, F, RO>,
}

/// The witness that a step adds to the state before it: what its prover computes before the circuit.
pub(super) struct AugmentedStepWitness<'a, C1: CurveAffine, C2: CurveAffine> {
    /// The digest of the public parameters.
    pub(super) parameters: C1::ScalarExt,
    pub(super) secondary_next: &'a [C2::ScalarExt],
    pub(super) fold: &'a protogalaxy::Proof<C1::ScalarExt>,
    /// The commitments of the primary accumulator after.
    pub(super) folded: &'a [C1],
    /// The commitments of the co-processor's instance.
    pub(super) coprocessor: &'a [C2],
    /// The commitments to cross terms.
    pub(super) terms: &'a [C2],
    pub(super) step: StepValues<'a, C1::ScalarExt>,
}

/// What stays of a state, or is known before a step is made.
struct Known<F: PrimeField, N: PrimeField> {
    parameters: Linear<F>,
    steps: Linear<F>,
    primary_start: Vec<Linear<F>>,
    secondary_start: Vec<NonNative<F, N>>,
}

impl<F: PrimeField, RO: CircuitOracleFor<F>> PrimaryCircuit<'_, F, RO> {
    /// Builds the circuit. Its one public input is the hash of the next state.
    pub(super) fn build<C1, C2>(
        &self,
        circuit: &mut Circuit<F>,
        before: &State<C1, C2>,
        witness: &AugmentedStepWitness<'_, C1, C2>,
    ) -> PlacedStep<F>
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: NativeCurve<ScalarExt = C1::Base, Base = F>,
    {
        let state = self.known(circuit, before, witness.parameters);
        let z = witnesses(circuit, &before.primary);
        let z_variables = last_witnesses(circuit, z.len());
        let secondary_z = self.relaxed.non_native_all(circuit, &before.secondary, Form::Fixed);
        let base = circuit.is_zero(&state.steps);
        let first = circuit.is_zero(&(&state.steps - &Linear::one()));
        let not_base = &Linear::one() - &base;
        let lifted = &base + &first;
        for (z, start) in z.iter().zip(&state.primary_start) {
            circuit.enforce_product(&base, &(z - start), &Linear::zero());
        }
        for (z, start) in secondary_z.iter().zip(&state.secondary_start) {
            for (z, start) in z.limbs().iter().zip(start.limbs()) {
                circuit.enforce_product(&base, &(z - start), &Linear::zero());
            }
        }

        let (old_points, old_scalars) = self.accumulator(circuit, &before.accumulator);
        let old_secondary = self.relaxed.assign(circuit, &before.secondary_accumulator, &base);
        let primary_digest = self.primary_digest(circuit, &old_points, &old_scalars);
        let secondary_digest = self.relaxed.digest(circuit, &old_secondary);
        let claimed =
            self.state_hash(circuit, &state, &z, &secondary_z, [&primary_digest, &secondary_digest]);

        let latest = self.latest(circuit, &before.latest, &state.parameters);
        circuit.enforce_product(&not_base, &(&latest.publics[0] - &claimed), &Linear::zero());

        let (folded, gamma) =
            self.fold(circuit, &state, &primary_digest, &old_scalars, &latest, witness.fold);
        let scalars = self.lift_if(circuit, &lifted, &state, &latest, folded);
        let gamma_limbs = ShortLimbs::new(circuit, &gamma, self.relaxed.limbs);

        // The instance takes the accumulator's place in the co-processor when it is lifted: C_1 + γ (C_1 - C_1) is C_1.
        let mut publics = Vec::new();
        let mut new_points = Vec::new();
        for ((old, new), folded) in old_points.iter().zip(&latest.commitments).zip(witness.folded) {
            for (old, new) in old.iter().zip(new) {
                publics.push(NonNative::choose(circuit, &lifted, new, old));
            }
            publics.extend(new.iter().cloned());
            new_points.push(non_native_point(circuit, folded, self.relaxed.limbs, Form::Canonical));
        }
        publics.extend(new_points.iter().flatten().cloned());
        publics.push(NonNative::from_short(&gamma_limbs));
        let secondary_next = self.relaxed.non_native_all(circuit, witness.secondary_next, Form::Canonical);
        publics.extend(secondary_z.iter().cloned());
        publics.extend(secondary_next.iter().cloned());
        let latest = FoldInputs {
            commitments: witness.coprocessor.iter().map(|point| Point::assign(circuit, *point)).collect(),
            publics,
            terms: witness.terms.iter().map(|point| Point::assign(circuit, *point)).collect(),
        };
        let secondary =
            self.relaxed.fold(circuit, (&state.parameters, &secondary_digest), &old_secondary, latest);

        let step = witness.step;
        let (placed, z_next) = circuit.step(step.shape, z_variables, step.values, step.multiplicities);
        let next = Known { steps: &state.steps + &Linear::one(), ..state };
        let digests =
            [&self.primary_digest(circuit, &new_points, &scalars), &self.relaxed.digest(circuit, &secondary)];
        let hash = self.state_hash(circuit, &next, &z_next, &secondary_next, digests);
        let public = circuit.public(hash.value());
        circuit.enforce_equal(&public, &hash);
        placed
    }

    fn known<C1, C2>(
        &self,
        circuit: &mut Circuit<F>,
        before: &State<C1, C2>,
        parameters: F,
    ) -> Known<F, C2::ScalarExt>
    where
        C1: CurveAffine<ScalarExt = F>,
        C2: CurveAffine,
    {
        Known {
            parameters: circuit.witness(parameters),
            steps: circuit.witness(F::from(before.steps)),
            primary_start: witnesses(circuit, &before.primary_start),
            secondary_start: self.relaxed.non_native_all(circuit, &before.secondary_start, Form::Fixed),
        }
    }

    fn accumulator<C1: CurveAffine<ScalarExt = F>>(
        &self,
        circuit: &mut Circuit<F>,
        accumulator: &protogalaxy::Accumulator<C1>,
    ) -> (Vec<NonNativePoint<F, C1::Base>>, Scalars<F>) {
        let instance = &accumulator.instance;
        let points = instance
            .commitments
            .iter()
            .map(|point| non_native_point(circuit, point, self.relaxed.limbs, Form::Fixed))
            .collect();
        let scalars = Scalars {
            publics: witnesses(circuit, &instance.publics),
            challenges: witnesses(circuit, &instance.challenges),
            betas: witnesses(circuit, &accumulator.betas),
            error: circuit.witness(accumulator.error),
        };
        (points, scalars)
    }

    /// The instance that comes in, with the challenges that follow from its commitments.
    fn latest<C1: CurveAffine<ScalarExt = F>>(
        &self,
        circuit: &mut Circuit<F>,
        instance: &Instance<C1>,
        parameters: &Linear<F>,
    ) -> PrimaryInstance<F, C1::Base> {
        let mut assigned = PrimaryInstance::assign(circuit, instance, self.relaxed.limbs, Form::Canonical);
        let count = instance.challenges.len();
        if count > 0 {
            let hashed = assigned.hashed();
            let mut transcript = self.relaxed.oracles.in_circuit(circuit, Use::PrimaryChallenges);
            absorb_challenges(
                &mut transcript,
                parameters,
                &hashed,
                packed_point_len::<C1>(self.relaxed.limbs),
            );
            let drawn = [transcript.squeeze(), transcript.squeeze()];
            assigned.challenges = lookup::challenges_in_circuit(circuit, count, drawn);
        }
        assigned
    }

    fn fold<N: PrimeField>(
        &self,
        circuit: &mut Circuit<F>,
        state: &Known<F, N>,
        accumulator: &Linear<F>,
        scalars: &Scalars<F>,
        latest: &PrimaryInstance<F, N>,
        proof: &protogalaxy::Proof<F>,
    ) -> (Scalars<F>, Short<F>) {
        let mut transcript = self.relaxed.oracles.in_circuit(circuit, Use::Fold);
        absorb_fold(&mut transcript, &state.parameters, accumulator, &latest.hashed());
        let instance = (latest.publics.as_slice(), latest.challenges.as_slice());
        protogalaxy::in_circuit::fold(&mut transcript, scalars, instance, proof)
    }

    /// The first accumulator in the place of what was folded, where `lifted` is 1.
    fn lift_if<N: PrimeField>(
        &self,
        circuit: &mut Circuit<F>,
        lifted: &Linear<F>,
        state: &Known<F, N>,
        latest: &PrimaryInstance<F, N>,
        folded: Scalars<F>,
    ) -> Scalars<F> {
        let mut transcript = self.relaxed.oracles.in_circuit(circuit, Use::Lift);
        absorb_lift(&mut transcript, &state.parameters, &latest.hashed());
        let drawn = transcript.squeeze();
        let betas = squarings(circuit, &drawn, folded.betas.len());
        let mut choose_all = |lifts: &[Linear<F>], folds: &[Linear<F>]| -> Vec<_> {
            lifts.iter().zip(folds).map(|(lift, fold)| circuit.choose(lifted, lift, fold)).collect()
        };
        Scalars {
            publics: choose_all(&latest.publics, &folded.publics),
            challenges: choose_all(&latest.challenges, &folded.challenges),
            betas: choose_all(&betas, &folded.betas),
            error: circuit.choose(lifted, &Linear::zero(), &folded.error),
        }
    }

    fn primary_digest<N: PrimeField>(
        &self,
        circuit: &mut Circuit<F>,
        points: &[NonNativePoint<F, N>],
        scalars: &Scalars<F>,
    ) -> Linear<F> {
        hashed_primary(points, scalars)
            .digest(&mut self.relaxed.oracles.in_circuit(circuit, Use::PrimaryAccumulator))
    }

    fn state_hash<N: PrimeField>(
        &self,
        circuit: &mut Circuit<F>,
        state: &Known<F, N>,
        primary: &[Linear<F>],
        secondary: &[NonNative<F, N>],
        accumulators: [&Linear<F>; 2],
    ) -> Linear<F> {
        let hashed = HashedState {
            parameters: state.parameters.clone(),
            steps: state.steps.clone(),
            primary_start: state.primary_start.clone(),
            primary: primary.to_vec(),
            secondary_start: packed(&state.secondary_start),
            secondary: packed(secondary),
        };
        hashed.digest(accumulators, &mut self.relaxed.oracles.in_circuit(circuit, Use::State))
    }
}
