//! A state that was changed before a step: the prover makes the step without a look at it, and the circuit is what shows it.

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::Field as _;

use super::fixture::{C1, State, not_begun, parameters, pp, run};
use super::forged::advanced;
use super::refused::{Change, change, hashed};
use crate::ivc::Error;
use crate::relation::Layout;

/// Of each part of a state one change or two: the first and the last of its elements.
fn changes(state: &State) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    let part = |name: &str| name.trim_end_matches(char::is_numeric).to_owned();
    let hashed = hashed(state);
    for (index, (name, _)) in hashed.iter().enumerate() {
        let adjacent =
            |index: Option<usize>| index.and_then(|index| hashed.get(index)).map(|(name, _)| part(name));
        let own = Some(part(name));
        let inner = adjacent(index.checked_sub(1)) == own && adjacent(Some(index + 1)) == own;
        if !inner && name != "steps" {
            all.push((name.clone(), Box::new(move |state: &mut State| hashed_change(state, index))));
        }
    }
    all
}

/// The change of this number.
fn hashed_change(state: &mut State, index: usize) {
    let (_, change) = hashed(state).swap_remove(index);
    change(state);
}

/// Changes of what no state hash binds, but which the next fold uses.
fn unhashed() -> Vec<Change> {
    let challenges = parameters().primary.relation.layout().challenge();
    let last = parameters().primary.relation.layout().len() - 1;
    let of_secondary = parameters().secondary.relation.layout().len() - 1;
    let mut all = vec![
        change("latest public", |state| state.latest.publics[0] += Fr::ONE),
        change("secondary vector's scale", |state| state.secondary_witness.vector[Layout::ONE] += Fq::ONE),
        change("secondary vector", move |state| state.secondary_witness.vector[of_secondary] += Fq::ONE),
        change("secondary errors", |state| state.secondary_witness.error[0] += Fq::ONE),
    ];
    for round in 0..2 {
        all.push(change(format!("latest commitment {round}"), move |state| {
            state.latest.commitments[round] = C1::generator();
        }));
    }
    for challenge in 0..challenges.len() {
        all.push(change_of_challenge(challenge));
    }
    for entry in [Layout::ONE, 1, challenges.start, last] {
        all.push(change(format!("latest vector {entry}"), move |state| {
            state.latest_vector[entry] += Fr::ONE;
        }));
    }
    all
}

fn change_of_challenge(challenge: usize) -> Change {
    change(format!("latest challenge {challenge}"), move |state| {
        state.latest.challenges[challenge] += Fr::ONE;
    })
}

#[track_caller]
fn assert_refused(state: &State, changes: Vec<Change>) {
    for (name, change) in changes {
        let mut state = state.clone();
        change(&mut state);
        let verified = parameters().verify(&advanced(pp(), state));
        assert!(matches!(verified, Err(Error::Refused(_))), "{name}");
    }
}

#[test]
fn a_state_changed_before_the_first_step_is_refused_but_for_what_proves_nothing_yet() {
    let state = not_begun().state;
    let of_accumulator = |name: &str| {
        ["commitment", "public", "challenge", "beta", "error"].iter().any(|part| name.starts_with(part))
    };
    let (free, bound): (Vec<_>, Vec<_>) =
        changes(&state).into_iter().partition(|(name, _)| of_accumulator(name));
    assert_refused(&state, bound);
    let secondary = unhashed().into_iter().filter(|(name, _)| name.starts_with("secondary")).collect();
    assert_refused(&state, secondary);
    let counted = change("steps", |state| state.steps = 1);
    assert_refused(&state, vec![counted]);
    // The accumulator of zeros is dropped at the next step, whatever is in the place of it.
    for (_, change) in free {
        let mut state = state.clone();
        change(&mut state);
        parameters().verify(&advanced(pp(), state)).unwrap();
    }
}

#[test]
fn a_state_changed_before_the_second_step_is_refused() {
    let state = run(1).state;
    let mut all = changes(&state);
    all.extend(unhashed());
    all.push(change("steps", |state| state.steps = 0));
    assert_refused(&state, all);
}

#[test]
fn a_state_changed_before_a_later_step_is_refused() {
    let state = run(3).state;
    let mut all = changes(&state);
    all.extend(unhashed());
    all.push(change("steps", |state| state.steps = 2));
    all.push(change("too many steps", |state| state.steps = u64::from(u32::MAX)));
    let last = parameters().primary.relation.layout().len() - 1;
    for entry in [Layout::ONE, 1, last] {
        all.push(change(format!("accumulator vector {entry}"), move |state| {
            state.accumulator_vector[entry] += Fr::ONE;
        }));
    }
    assert_refused(&state, all);
}

#[test]
fn an_honest_state_is_not_refused_after_the_same_calls() {
    for state in [not_begun().state, run(1).state, run(3).state] {
        parameters().verify(&advanced(pp(), state)).unwrap();
    }
}
