//! The first accumulator: a claim of the first instance that says nothing unless `b` was drawn after it.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;

use super::super::IVC;
use super::fixture::{C1, HONEST, Sample, State, parameters, pp, refusal, run};
use super::forged::{Execution, advanced};
use super::lookups::claim_state_hash;
use crate::ivc::Refusal;
use crate::protogalaxy::{Accumulator, Weights};

/// One step, which violates its circuit.
fn wrong_first_step() -> State {
    let z = run(1).state;
    let first =
        IVC::new(pp(), &Sample::wrong(1), [z.primary_start[0]], &HONEST, [z.secondary_start[0]], false);
    first.unwrap().state
}

/// What the accumulator's vector gives under its betas.
pub(super) fn sum(accumulator: &Accumulator<C1>, vector: &[Fr]) -> Fr {
    let weights = Weights::new(&accumulator.betas);
    let values = parameters().primary.relation.values(vector);
    values.iter().enumerate().map(|(index, value)| weights.get(index) * value).sum()
}

#[test]
fn a_wrong_first_step_is_refused_after_every_later_one() {
    let mut state = wrong_first_step();
    assert_eq!(refusal(&state), Refusal::LastInstance);
    for _ in 0..3 {
        state = advanced(pp(), state);
        assert_eq!(refusal(&state), Refusal::PrimaryAccumulator);
    }
}

/// A first accumulator that claims nothing of a wrong first step.
fn healed(heal: impl FnOnce(&mut Accumulator<C1>, &[Fr])) -> State {
    let mut execution = Execution::honest(wrong_first_step());
    assert!(!execution.accumulator.claim_holds(&parameters().primary.relation, &execution.vector));
    heal(&mut execution.accumulator, &execution.vector);
    assert!(
        execution.accumulator.claim_holds(&parameters().primary.relation, &execution.vector),
        "it is healed"
    );
    execution.finish()
}

/// A healed accumulator is not the one that the circuit makes: neither it nor what follows verifies.
#[track_caller]
pub(super) fn assert_refused(state: State) {
    assert_eq!(refusal(&state), Refusal::StateHash);
    assert_eq!(refusal(&advanced(pp(), state.clone())), Refusal::LastInstance);
    let mut claimed = state;
    claim_state_hash(&mut claimed);
    assert_eq!(refusal(&claimed), Refusal::LastInstance);
    assert_eq!(refusal(&advanced(pp(), claimed)), Refusal::PrimaryAccumulator);
}

/// A `b` of 0, chosen by the prover: only the first constraint counts.
pub(super) fn lifted_with_a_chosen_b() -> State {
    healed(|accumulator, _| accumulator.betas.fill(Fr::ZERO))
}

/// Betas that are doubled, with what they give as the error.
pub(super) fn lifted_with_doubled_betas() -> State {
    healed(|accumulator, vector| {
        for index in 1..accumulator.betas.len() {
            accumulator.betas[index] = accumulator.betas[index - 1].double();
        }
        accumulator.error = sum(accumulator, vector);
    })
}

/// The right betas, with what they give as the error.
pub(super) fn lifted_with_an_error() -> State {
    healed(|accumulator, vector| accumulator.error = sum(accumulator, vector))
}

#[test]
fn an_execution_without_a_change_is_that_of_an_honest_prover() {
    for steps in [1, 2] {
        let state = run(steps).state;
        let (forged, honest) = (Execution::honest(state.clone()).finish(), advanced(pp(), state));
        assert_eq!(forged.latest, honest.latest);
        assert_eq!(forged.accumulator, honest.accumulator);
        assert_eq!(forged.secondary_accumulator, honest.secondary_accumulator);
        parameters().verify(&forged).unwrap();
    }
}
