//! Executions of a prover that puts what it likes in the place of what an honest one computes.

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::Field as _;

use super::super::circuit::AugmentedStepWitness;
use super::super::coprocessor;
use super::fixture::{C1, C2, HONEST, Parameters, Pp, State, parameters, pp};
use crate::circuit::{Circuit, PlacedStep};
use crate::commitment::{CommitmentKey, Curve};
use crate::cross_term;
use crate::frontend::StepWitness;
use crate::gadgets::bits::low_number_of;
use crate::ivc::step::StepValues;
use crate::poseidon::RandomOracle;
use crate::protogalaxy::{self, Accumulator, Proof};
use crate::relation::{Instance, Layout};

/// An execution before its circuits are made. All of it is for a prover to choose.
pub(super) struct Execution {
    /// What the circuit has as the state before.
    pub(super) before: State,
    /// The accumulator that comes out, and its vector.
    pub(super) accumulator: Accumulator<C1>,
    pub(super) vector: Vec<Fr>,
    pub(super) proof: Proof<Fr>,
    /// What the co-processor folds: pairs of accumulated and latest commitments, and the challenge.
    pub(super) points: Vec<[C1; 2]>,
    pub(super) gamma: u128,
    pub(super) primary: StepWitness<1, Fr>,
    pub(super) secondary: StepWitness<1, Fq>,
}

impl Execution {
    /// What an honest prover does in this state.
    pub(super) fn honest(before: State) -> Self {
        let parameters = parameters();
        let mut oracle = parameters.hashes.fold_oracle(&before);
        let (accumulator, vector, proof, gamma) = if before.steps > 1 {
            let old = (&before.accumulator, before.accumulator_vector.as_slice());
            let instances = [(&before.latest, before.latest_vector.as_slice())];
            let folded = protogalaxy::prove(&parameters.primary.relation, old, &instances, &mut oracle);
            (folded.accumulator, folded.vector, folded.proof, folded.gamma)
        } else {
            let fold = parameters.primary.fold;
            let proof = Proof::empty(&fold);
            let gamma = protogalaxy::challenge(fold, &before.accumulator, &proof, &mut oracle).gamma;
            let mut oracle = parameters.hashes.lift_oracle(&before.latest);
            let lifted = Accumulator::lift(&fold, before.latest.clone(), &mut oracle);
            (lifted, before.latest_vector.clone(), proof, gamma)
        };
        let old = if before.steps > 1 { &before.accumulator.instance } else { &before.latest };
        let pairs = old.commitments.iter().zip(&before.latest.commitments);
        Self {
            points: pairs.map(|(old, new)| [*old, *new]).collect(),
            gamma: low_number_of(&gamma),
            primary: pp().primary.witness(&HONEST, &[before.primary[0]]).unwrap(),
            secondary: pp().secondary.witness(&HONEST, &[before.secondary[0]]).unwrap(),
            before,
            accumulator,
            vector,
            proof,
        }
    }

    /// The accumulator that a verifier comes to with the proof, and the vector that a prover folds to it.
    pub(super) fn refold(&mut self, oracle: &mut impl RandomOracle<Fr>) {
        let (before, shape) = (&self.before, parameters().primary.fold);
        let challenged = protogalaxy::challenge(shape, &before.accumulator, &self.proof, oracle);
        let gamma = challenged.gamma;
        let factors = [(&before.accumulator.instance, Fr::ONE - gamma), (&before.latest, gamma)];
        let folded = Instance::combination(&factors);
        self.accumulator = Accumulator { instance: folded, betas: challenged.betas, error: challenged.error };
        let pairs = before.accumulator_vector.iter().zip(&before.latest_vector);
        self.vector = pairs.map(|(old, new)| *old + gamma * (*new - old)).collect();
        self.gamma = low_number_of(&gamma);
    }

    /// Makes both circuits of it.
    pub(super) fn finish(self) -> State {
        let (pp, parameters) = (pp(), parameters());
        let second_counts = pp.secondary.shape().multiplicities(&self.secondary.values).counts;
        let inputs = coprocessor::Inputs {
            commitments: self.points,
            gamma: self.gamma,
            step: StepValues {
                shape: &parameters.secondary.step,
                values: &self.secondary.values,
                multiplicities: &second_counts,
            },
        };
        let mut circuit = Circuit::assigned();
        let placed = coprocessor::build(&mut circuit, &inputs);
        let (layout, key) = (parameters.secondary.relation.layout(), parameters.secondary.key);
        let challenges = |instance: &Instance<C2>| {
            parameters.hashes.relaxed().challenges_of(parameters.hashes.digest, instance)
        };
        let (instance, vector) = commit(key, layout, &circuit, &placed, challenges);

        let mut witness = self.before.secondary_witness.clone();
        let (terms, challenge) = cross_term::prove(
            &parameters.secondary.relaxed,
            &mut witness,
            &vector,
            |terms| key.commit_each(terms),
            |terms| {
                parameters.hashes.relaxed().challenge_of_fold(
                    parameters.hashes.digest,
                    &self.before.secondary_accumulator,
                    &instance,
                    terms,
                )
            },
        )
        .unwrap();
        let old = &self.before.secondary_accumulator;
        let count = parameters.secondary.relaxed.terms();
        let secondary_accumulator = cross_term::verify(count, old, &instance, &terms, challenge).unwrap();

        let first_counts = pp.primary.shape().multiplicities(&self.primary.values).counts;
        let augmented = AugmentedStepWitness {
            parameters: parameters.hashes.digest,
            secondary_next: &self.secondary.z_out,
            fold: &self.proof,
            folded: &self.accumulator.instance.commitments,
            coprocessor: &instance.commitments,
            terms: &terms.terms,
            step: StepValues {
                shape: &parameters.primary.step,
                values: &self.primary.values,
                multiplicities: &first_counts,
            },
        };
        let mut circuit = Circuit::assigned();
        let placed = parameters.primary_circuit().build(&mut circuit, &self.before, &augmented);
        let layout = parameters.primary.relation.layout();
        let challenges = |instance: &Instance<C1>| parameters.hashes.primary_challenges(instance);
        let (latest, latest_vector) = commit(parameters.primary.key, layout, &circuit, &placed, challenges);
        State {
            steps: self.before.steps + 1,
            primary: self.primary.z_out.to_vec(),
            secondary: self.secondary.z_out.to_vec(),
            accumulator: self.accumulator,
            accumulator_vector: self.vector,
            latest,
            latest_vector,
            secondary_accumulator,
            secondary_witness: witness,
            ..self.before
        }
    }
}

fn commit<C: Curve>(
    key: &CommitmentKey<C>,
    layout: &Layout,
    circuit: &Circuit<C::ScalarExt>,
    step: &PlacedStep<C::ScalarExt>,
    challenges: impl FnOnce(&Instance<C>) -> Vec<C::ScalarExt>,
) -> (Instance<C>, Vec<C::ScalarExt>) {
    let mut vector = circuit.vector();
    let mut instance = Instance {
        commitments: vec![C::identity(); 2],
        publics: vector[layout.public()].to_vec(),
        challenges: vec![C::ScalarExt::ZERO; layout.challenges],
    };
    instance.commitments[0] = key.commit(&vector[layout.round(0)]).unwrap();
    instance.challenges = challenges(&instance);
    step.second_round(layout, &mut vector, &instance.challenges);
    instance.commitments[1] = key.commit(&vector[layout.round(1)]).unwrap();
    (instance, vector)
}

/// One more honest step from a state that may be forged.
pub(super) fn advanced(pp: &Pp, state: State) -> State {
    let first = pp.primary.witness(&HONEST, &[state.primary[0]]).unwrap();
    let second = pp.secondary.witness(&HONEST, &[state.secondary[0]]).unwrap();
    let first_counts = pp.primary.shape().multiplicities(&first.values).counts;
    let second_counts = pp.secondary.shape().multiplicities(&second.values).counts;
    let parameters: &Parameters = &pp.parameters;
    let mut state = state;
    let primary =
        StepValues { shape: &parameters.primary.step, values: &first.values, multiplicities: &first_counts };
    let secondary = StepValues {
        shape: &parameters.secondary.step,
        values: &second.values,
        multiplicities: &second_counts,
    };
    parameters.advance(&mut state, primary, first.z_out.to_vec(), secondary, second.z_out.to_vec()).unwrap();
    state
}

/// Makes the last instance of its vector: public input, challenges and commitments.
pub(super) fn recommit(state: &mut State) {
    let (layout, key) = (parameters().primary.relation.layout(), parameters().primary.key);
    let vector = &state.latest_vector;
    state.latest = Instance {
        commitments: (0..2).map(|round| key.commit(&vector[layout.round(round)]).unwrap()).collect(),
        publics: vector[layout.public()].to_vec(),
        challenges: vector[layout.challenge()].to_vec(),
    };
}
