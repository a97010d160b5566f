//! One execution: folds what came before, makes both circuits' vectors, commits to them.

use super::circuit::AugmentedStepWitness;
use super::coprocessor;
use super::parameters::Parameters;
use super::state::State;
use crate::circuit::Circuit;
use crate::commitment::Curve;
use crate::cross_term;
use crate::gadgets::bits::low_number_of;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::Error;
use crate::ivc::commitments::commit;
use crate::ivc::step::StepValues;
use crate::poseidon::CircuitOracleFor;
use crate::protogalaxy::{self, Accumulator, Proof};
use crate::relation::Instance;

/// A primary accumulator after a fold, and how it came about.
pub(super) struct FoldedPrimary<C: Curve> {
    pub(super) accumulator: Accumulator<C>,
    pub(super) vector: Vec<C::ScalarExt>,
    pub(super) proof: Proof<C::ScalarExt>,
    gamma: u128,
}

impl<C1, C2, RO> Parameters<'_, C1, C2, RO>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    RO: CircuitOracleFor<C1::ScalarExt>,
{
    /// The state before the first execution.
    ///
    /// The latest instance at the first step proves nothing, but its challenges are computed there like any
    /// other's, and are part of the accumulator that comes out.
    pub(super) fn start(
        &self,
        primary_start: Vec<C1::ScalarExt>,
        secondary_start: Vec<C2::ScalarExt>,
    ) -> State<C1, C2> {
        let (fold, relaxed) = (&self.primary.fold, &self.secondary.relaxed);
        let mut state = State::start(fold, relaxed, primary_start, secondary_start);
        state.latest.challenges = self.hashes.primary_challenges(&state.latest);
        state
    }

    /// The state after one more execution, of these steps. On an error the state is as it was.
    pub(super) fn advance(
        &self,
        state: &mut State<C1, C2>,
        primary: StepValues<'_, C1::ScalarExt>,
        primary_next: Vec<C1::ScalarExt>,
        secondary: StepValues<'_, C2::ScalarExt>,
        secondary_next: Vec<C2::ScalarExt>,
    ) -> Result<(), Error> {
        let folded = self.fold_primary(state);
        let (instance, vector) = self.coprocessor(state, &folded, secondary)?;
        let mut witness = state.secondary_witness.clone();
        let instances = self.hashes.relaxed();
        let (terms, challenge) = cross_term::prove(
            &self.secondary.relaxed,
            &mut witness,
            &vector,
            |terms| self.secondary.key.commit_each(terms),
            |terms| {
                instances.challenge_of_fold(
                    self.hashes.digest,
                    &state.secondary_accumulator,
                    &instance,
                    terms,
                )
            },
        )?;
        let relaxed = &self.secondary.relaxed;
        let accumulated =
            cross_term::verify(relaxed.terms(), &state.secondary_accumulator, &instance, &terms, challenge);
        let secondary_accumulator = accumulated.expect("instances are made in the shape of the parameters");

        let augmented = AugmentedStepWitness {
            parameters: self.hashes.digest,
            secondary_next: &secondary_next,
            fold: &folded.proof,
            folded: &folded.accumulator.instance.commitments,
            coprocessor: &instance.commitments,
            terms: &terms.terms,
            step: primary,
        };
        let mut circuit = Circuit::assigned();
        let placed = self.primary_circuit().build(&mut circuit, state, &augmented);
        let layout = self.primary.relation.layout();
        let (latest, latest_vector) = commit(self.primary.key, layout, &circuit, &placed, |instance| {
            self.hashes.primary_challenges(instance)
        })?;

        *state = State {
            steps: state.steps + 1,
            primary_start: std::mem::take(&mut state.primary_start),
            primary: primary_next,
            secondary_start: std::mem::take(&mut state.secondary_start),
            secondary: secondary_next,
            accumulator: folded.accumulator,
            accumulator_vector: folded.vector,
            latest,
            latest_vector,
            secondary_accumulator,
            secondary_witness: witness,
        };
        debug_assert_eq!(
            state.latest.publics[0],
            self.hashes.state_hash(state),
            "the circuit hashes as we do"
        );
        Ok(())
    }

    /// Folds the last instance, or lifts it when it is the first.
    pub(super) fn fold_primary(&self, state: &State<C1, C2>) -> FoldedPrimary<C1> {
        let mut oracle = self.hashes.fold_oracle(state);
        if state.steps > 1 {
            let accumulator = (&state.accumulator, state.accumulator_vector.as_slice());
            let instances = [(&state.latest, state.latest_vector.as_slice())];
            let folded = protogalaxy::prove(&self.primary.relation, accumulator, &instances, &mut oracle);
            let protogalaxy::Folded { proof, accumulator, vector, gamma } = folded;
            return FoldedPrimary { accumulator, vector, proof, gamma: low_number_of(&gamma) };
        }
        let fold = self.primary.fold;
        let proof = Proof::empty(&fold);
        let challenged = protogalaxy::challenge(fold, &state.accumulator, &proof, &mut oracle);
        let mut oracle = self.hashes.lift_oracle(&state.latest);
        FoldedPrimary {
            accumulator: Accumulator::lift(&fold, state.latest.clone(), &mut oracle),
            vector: state.latest_vector.clone(),
            proof,
            gamma: low_number_of(&challenged.gamma),
        }
    }

    /// The co-processor's instance of this execution, and its vector.
    fn coprocessor(
        &self,
        state: &State<C1, C2>,
        folded: &FoldedPrimary<C1>,
        step: StepValues<'_, C2::ScalarExt>,
    ) -> Result<(Instance<C2>, Vec<C2::ScalarExt>), Error> {
        // A lifted instance is in the accumulator's place.
        let old = if state.steps > 1 { &state.accumulator.instance } else { &state.latest };
        let pairs = old.commitments.iter().zip(&state.latest.commitments);
        let inputs = coprocessor::Inputs {
            commitments: pairs.map(|(old, new)| [*old, *new]).collect(),
            gamma: folded.gamma,
            step,
        };
        let mut circuit = Circuit::assigned();
        let placed = coprocessor::build(&mut circuit, &inputs);
        let layout = self.secondary.relation.layout();
        commit(self.secondary.key, layout, &circuit, &placed, |instance| {
            self.hashes.relaxed().challenges_of(self.hashes.digest, instance)
        })
    }
}
