//! Proofs put together from parts of others.

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::Field as _;

use super::fixture::{HONEST, State, other_pp, other_run, parameters, pp, refusal, run, start, step};
use super::forged::{Execution, advanced, recommit};
use super::lookups::{claim_state_hash, remake_last};
use crate::ivc::Refusal;

type Take = fn(&mut State, &State);

/// The parts of a state that belong together.
const PARTS: [Take; 5] = [
    |state, of| (state.primary_start, state.primary) = (of.primary_start.clone(), of.primary.clone()),
    |state, of| (state.secondary_start, state.secondary) = (of.secondary_start.clone(), of.secondary.clone()),
    |state, of| {
        (state.accumulator, state.accumulator_vector) =
            (of.accumulator.clone(), of.accumulator_vector.clone());
    },
    |state, of| {
        (state.latest, state.latest_vector) = (of.latest.clone(), of.latest_vector.clone());
    },
    |state, of| {
        state.secondary_accumulator = of.secondary_accumulator.clone();
        state.secondary_witness = of.secondary_witness.clone();
    },
];

/// A state with those parts of another whose bit is set.
fn stitched(state: &State, of: &State, parts: usize) -> State {
    let mut state = state.clone();
    for (bit, take) in PARTS.iter().enumerate() {
        if parts >> bit & 1 == 1 {
            take(&mut state, of);
        }
    }
    state
}

#[test]
fn parts_of_two_honest_computations_do_not_make_a_third() {
    let all = (1 << PARTS.len()) - 1;
    for steps in [2, 3] {
        let (a, b) = (run(steps).state, other_run(steps).state);
        parameters().verify(&stitched(&a, &b, all)).unwrap();
        for parts in 1..all {
            assert_eq!(refusal(&stitched(&a, &b, parts)), Refusal::StateHash, "{steps}: {parts:b}");
        }
    }
}

#[test]
fn refuses_parts_of_an_earlier_state_in_the_place_of_later_ones() {
    let all = (1 << PARTS.len()) - 1;
    let (late, early) = (run(4).state, run(3).state);
    for parts in 1..=all {
        assert_eq!(refusal(&stitched(&late, &early, parts)), Refusal::StateHash, "{parts:b}");
    }
}

#[test]
fn a_primary_half_and_a_secondary_half_under_a_hash_made_for_both_are_refused() {
    let (a, b) = (run(3).state, other_run(3).state);
    for parts in [0b1_0010, 0b0_0101, 0b1_0000, 0b0_0100] {
        let mut state = stitched(&a, &b, parts);
        claim_state_hash(&mut state);
        assert_eq!(refusal(&state), Refusal::LastInstance, "{parts:b}");
        assert_eq!(refusal(&advanced(pp(), state)), Refusal::PrimaryAccumulator, "{parts:b}");
    }
}

#[test]
fn a_last_instance_that_is_satisfied_with_another_public_input_is_refused() {
    let (state, other) = (run(3).state, other_run(3).state);
    let mut replaced = stitched(&state, &other, 0b0_1000);
    assert_eq!(refusal(&replaced), Refusal::StateHash);
    // Its vector stays satisfied, and the instance alone claims to be of this state.
    replaced.latest.publics = state.latest.publics.clone();
    assert_eq!(refusal(&replaced), Refusal::Challenges);
    replaced.latest.challenges = parameters().hashes.primary_challenges(&replaced.latest);
    assert_eq!(refusal(&replaced), Refusal::Commitment("last instance"));
    // Its vector has it too, with all commitments made again: it is not satisfied.
    replaced.latest_vector[1] = state.latest.publics[0];
    recommit(&mut replaced);
    assert_eq!(refusal(&replaced), Refusal::Challenges);
    remake_last(&mut replaced);
    assert_eq!(refusal(&replaced), Refusal::LastInstance);
}

#[test]
fn a_computation_of_other_parameters_is_not_continued_under_these() {
    let mut foreign = start(other_pp(), 3, 4);
    step(other_pp(), &mut foreign);
    foreign.verify(other_pp()).unwrap();
    assert_eq!(refusal(&foreign.state), Refusal::StateHash);
    // Its challenges were drawn for other parameters too.
    let mut continued = advanced(pp(), foreign.state.clone());
    assert_eq!(refusal(&continued), Refusal::StateHash);
    claim_state_hash(&mut continued);
    assert_eq!(refusal(&continued), Refusal::LastInstance);
    continued = advanced(pp(), continued);
    assert_eq!(refusal(&continued), Refusal::PrimaryAccumulator);
    let mut claimed = foreign.state;
    claim_state_hash(&mut claimed);
    assert_eq!(refusal(&claimed), Refusal::LastInstance);
}

#[test]
fn a_secondary_step_from_another_input_than_the_last_output_is_refused() {
    for steps in [1, 2] {
        let mut execution = Execution::honest(run(steps).state);
        let input = execution.before.secondary[0] + Fq::ONE;
        execution.secondary = pp().secondary.witness(&HONEST, &[input]).unwrap();
        let mut state = execution.finish();
        assert_eq!(refusal(&state), Refusal::StateHash);
        claim_state_hash(&mut state);
        assert_eq!(refusal(&state), Refusal::LastInstance);
    }
}

#[test]
fn a_primary_step_from_another_input_than_the_last_output_is_refused() {
    for steps in [1, 2] {
        let mut execution = Execution::honest(run(steps).state);
        let input = execution.before.primary[0] + Fr::ONE;
        execution.primary = pp().primary.witness(&HONEST, &[input]).unwrap();
        let mut state = execution.finish();
        assert_eq!(refusal(&state), Refusal::LastInstance);
        claim_state_hash(&mut state);
        assert_eq!(refusal(&state), Refusal::LastInstance);
    }
}

#[test]
fn points_folded_under_another_challenge_than_the_one_drawn_are_refused() {
    let mut execution = Execution::honest(run(2).state);
    execution.gamma ^= 1;
    let state = execution.finish();
    assert_eq!(refusal(&state), Refusal::StateHash);
    let mut execution = Execution::honest(run(2).state);
    execution.points.reverse();
    let state = execution.finish();
    assert_eq!(refusal(&state), Refusal::StateHash);
}

#[test]
fn commitments_that_the_co_processor_did_not_fold_are_refused() {
    let mut execution = Execution::honest(run(2).state);
    execution.accumulator.instance.commitments.swap(0, 1);
    let mut state = execution.finish();
    assert_eq!(refusal(&state), Refusal::StateHash);
    claim_state_hash(&mut state);
    assert_eq!(refusal(&state), Refusal::LastInstance);
}
