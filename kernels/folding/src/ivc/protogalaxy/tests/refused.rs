//! Each check of a proof, by a proof that this check alone refuses.

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::Field as _;
use halo2curves::group::prime::PrimeCurveAffine as _;

use super::fixture::{
    C1, C2, HONEST, ROWS, Sample, State, not_begun, other_pp, parameters, pp, refusal, run, step,
};
use crate::ivc::{Error, Refusal, Side};
use crate::relation::Layout;

/// A change of a state, and what is changed.
pub(super) type Change = (String, Box<dyn Fn(&mut State) + Send + Sync>);

pub(super) fn change(name: impl Into<String>, change: impl Fn(&mut State) + Send + Sync + 'static) -> Change {
    (name.into(), Box::new(change))
}

/// One change of each part that a state hash binds.
pub(super) fn hashed(state: &State) -> Vec<Change> {
    let (g1, g2) = (C1::generator(), C2::generator());
    let mut changes = vec![
        change("steps", |state| state.steps += 1),
        change("primary start", |state| state.primary_start[0] += Fr::ONE),
        change("primary", |state| state.primary[0] += Fr::ONE),
        change("secondary start", |state| state.secondary_start[0] += Fq::ONE),
        change("secondary", |state| state.secondary[0] += Fq::ONE),
        change("error", |state| state.accumulator.error += Fr::ONE),
        change("scale", |state| state.secondary_accumulator.scale += Fq::ONE),
        change("secondary error", move |state| state.secondary_accumulator.error = g2),
    ];
    let instance = &state.accumulator.instance;
    for i in 0..instance.commitments.len() {
        changes.push(change(format!("commitment {i}"), move |state| {
            state.accumulator.instance.commitments[i] = g1;
        }));
    }
    for i in 0..instance.publics.len() {
        changes.push(change(format!("public {i}"), move |state| {
            state.accumulator.instance.publics[i] += Fr::ONE;
        }));
    }
    for i in 0..instance.challenges.len() {
        changes.push(change(format!("challenge {i}"), move |state| {
            state.accumulator.instance.challenges[i] += Fr::ONE;
        }));
    }
    for i in 0..state.accumulator.betas.len() {
        changes.push(change(format!("beta {i}"), move |state| state.accumulator.betas[i] += Fr::ONE));
    }
    let instance = &state.secondary_accumulator.instance;
    for i in 0..instance.commitments.len() {
        changes.push(change(format!("secondary commitment {i}"), move |state| {
            state.secondary_accumulator.instance.commitments[i] = g2;
        }));
    }
    for i in 0..instance.publics.len() {
        changes.push(change(format!("secondary public {i}"), move |state| {
            state.secondary_accumulator.instance.publics[i] += Fq::ONE;
        }));
    }
    for i in 0..instance.challenges.len() {
        changes.push(change(format!("secondary challenge {i}"), move |state| {
            state.secondary_accumulator.instance.challenges[i] += Fq::ONE;
        }));
    }
    changes
}

/// Why a state is refused after a change.
#[track_caller]
fn refused(state: &State, change: impl FnOnce(&mut State)) -> Refusal {
    let mut state = state.clone();
    change(&mut state);
    refusal(&state)
}

#[test]
fn honest_computations_of_one_to_four_steps_verify() {
    for steps in 1..=4 {
        run(steps).verify(pp()).unwrap();
    }
}

#[test]
fn every_part_that_the_state_hash_binds_is_bound() {
    let state = run(3).state;
    let changes = hashed(&state);
    assert!(changes.len() > 40, "{} changes", changes.len());
    for (name, change) in changes {
        assert_eq!(refused(&state, &change), Refusal::StateHash, "{name}");
    }
    assert_eq!(refused(&state, |state| state.latest.publics[0] += Fr::ONE), Refusal::StateHash);
}

#[test]
fn another_number_of_steps_is_refused() {
    let state = run(3).state;
    for steps in [1, 2, 4, u64::MAX] {
        assert_eq!(refused(&state, |state| state.steps = steps), Refusal::StateHash, "{steps}");
    }
    assert_eq!(refused(&state, |state| state.steps = 0), Refusal::NoSteps);
    assert_eq!(refusal(&not_begun().state), Refusal::NoSteps);
}

#[test]
fn commitments_that_change_places_are_refused() {
    let state = run(3).state;
    let swapped = |state: &mut State| state.accumulator.instance.commitments.swap(0, 1);
    assert_eq!(refused(&state, swapped), Refusal::StateHash);
    let swapped = |state: &mut State| state.secondary_accumulator.instance.commitments.swap(0, 1);
    assert_eq!(refused(&state, swapped), Refusal::StateHash);
    assert_eq!(refused(&state, |state| state.latest.commitments.swap(0, 1)), Refusal::Challenges);
    let identity = |state: &mut State| state.accumulator.instance.commitments[1] = C1::identity();
    assert_eq!(refused(&state, identity), Refusal::StateHash);
}

#[test]
fn the_last_instance_s_challenges_follow_from_its_first_commitment() {
    let state = run(3).state;
    for challenge in 0..state.latest.challenges.len() {
        let chosen = |state: &mut State| state.latest.challenges[challenge] += Fr::ONE;
        assert_eq!(refused(&state, chosen), Refusal::Challenges);
    }
    let first = |state: &mut State| state.latest.commitments[0] = C1::generator();
    assert_eq!(refused(&state, first), Refusal::Challenges);
}

/// An entry of each part of a vector.
fn entries(layout: &Layout) -> Vec<usize> {
    let rounds = (0..layout.rounds.len()).flat_map(|round| {
        let range = layout.round(round);
        [range.start, (range.start + range.end) / 2, range.end - 1]
    });
    [layout.public().start, layout.challenge().start, layout.challenge().end - 1]
        .into_iter()
        .chain(rounds)
        .collect()
}

#[test]
fn the_last_instance_is_of_its_vector() {
    let state = run(3).state;
    let expected = Refusal::Commitment("last instance");
    let last = |state: &mut State| state.latest.commitments[1] = C1::generator();
    assert_eq!(refused(&state, last), expected);
    assert_eq!(refused(&state, |state| state.latest_vector[Layout::ONE] += Fr::ONE), expected);
    for entry in entries(parameters().primary.relation.layout()) {
        assert_eq!(refused(&state, |state| state.latest_vector[entry] += Fr::ONE), expected, "{entry}");
    }
}

#[test]
fn the_primary_accumulator_is_of_its_vector() {
    let state = run(3).state;
    let expected = Refusal::Commitment("primary accumulator");
    assert_eq!(refused(&state, |state| state.accumulator_vector[Layout::ONE] += Fr::ONE), expected);
    for entry in entries(parameters().primary.relation.layout()) {
        assert_eq!(refused(&state, |state| state.accumulator_vector[entry] += Fr::ONE), expected, "{entry}");
    }
}

#[test]
fn the_secondary_accumulator_is_of_its_vectors() {
    let state = run(3).state;
    let expected = Refusal::Commitment("secondary accumulator");
    for entry in entries(parameters().secondary.relation.layout()) {
        let changed = |state: &mut State| state.secondary_witness.vector[entry] += Fq::ONE;
        assert_eq!(refused(&state, changed), expected, "{entry}");
    }
    for entry in [0, state.secondary_witness.error.len() - 1] {
        let changed = |state: &mut State| state.secondary_witness.error[entry] += Fq::ONE;
        assert_eq!(refused(&state, changed), expected, "{entry}");
    }
    // What is in the place of the constant is committed to by nothing but the scale.
    let scale = |state: &mut State| state.secondary_witness.vector[Layout::ONE] += Fq::ONE;
    assert_eq!(refused(&state, scale), Refusal::SecondaryAccumulator);
}

#[test]
fn an_error_vector_that_makes_up_for_a_violation_is_not_the_one_committed_to() {
    let mut run = run(2);
    run.fold_step(pp(), &HONEST, &Sample::wrong(1)).unwrap();
    let mut state = run.state;
    state.secondary_witness.error =
        parameters().secondary.relaxed.relation().values(&state.secondary_witness.vector);
    assert_eq!(refusal(&state), Refusal::Commitment("secondary accumulator"));
}

#[test]
fn a_last_step_that_violates_a_gate_is_refused_by_the_check_of_the_last_instance() {
    for steps in [1, 3] {
        for row in [0, ROWS - 1] {
            let mut run = run(steps);
            run.fold_step(pp(), &Sample::wrong(row), &HONEST).unwrap();
            assert_eq!(refusal(&run.state), Refusal::LastInstance);
        }
    }
}

#[test]
fn an_earlier_step_that_violates_a_gate_is_refused_by_the_check_of_the_accumulator() {
    for steps in [1, 2] {
        let mut run = run(steps);
        run.fold_step(pp(), &Sample::wrong(1), &HONEST).unwrap();
        for _ in 0..2 {
            step(pp(), &mut run);
            assert_eq!(refusal(&run.state), Refusal::PrimaryAccumulator);
        }
    }
}

#[test]
fn a_secondary_step_that_violates_a_gate_or_a_lookup_is_refused_at_once_and_later() {
    for wrong in [Sample::wrong(0), Sample::missing()] {
        let mut run = run(1);
        run.fold_step(pp(), &HONEST, &wrong).unwrap();
        assert_eq!(refusal(&run.state), Refusal::SecondaryAccumulator);
        step(pp(), &mut run);
        assert_eq!(refusal(&run.state), Refusal::SecondaryAccumulator);
    }
}

#[test]
fn a_part_of_another_length_is_refused_by_its_name() {
    /// Makes one element more or less of it.
    fn resize<T: Clone>(part: &mut Vec<T>, more: bool) {
        if more {
            part.push(part[0].clone());
        } else {
            part.pop();
        }
    }
    type Resize = fn(&mut State, bool);
    let parts: [(&str, Resize); 18] = [
        ("primary input", |state, more| resize(&mut state.primary_start, more)),
        ("primary output", |state, more| resize(&mut state.primary, more)),
        ("secondary input", |state, more| resize(&mut state.secondary_start, more)),
        ("secondary output", |state, more| resize(&mut state.secondary, more)),
        ("last instance", |state, more| resize(&mut state.latest.commitments, more)),
        ("last instance", |state, more| resize(&mut state.latest.publics, more)),
        ("last instance", |state, more| resize(&mut state.latest.challenges, more)),
        ("last instance's vector", |state, more| resize(&mut state.latest_vector, more)),
        ("primary accumulator", |state, more| resize(&mut state.accumulator.instance.commitments, more)),
        ("primary accumulator", |state, more| resize(&mut state.accumulator.instance.publics, more)),
        ("primary accumulator", |state, more| resize(&mut state.accumulator.instance.challenges, more)),
        ("primary accumulator's betas", |state, more| resize(&mut state.accumulator.betas, more)),
        ("primary accumulator's vector", |state, more| resize(&mut state.accumulator_vector, more)),
        ("secondary accumulator", |state, more| {
            resize(&mut state.secondary_accumulator.instance.commitments, more);
        }),
        ("secondary accumulator", |state, more| {
            resize(&mut state.secondary_accumulator.instance.publics, more);
        }),
        ("secondary accumulator", |state, more| {
            resize(&mut state.secondary_accumulator.instance.challenges, more);
        }),
        ("secondary accumulator's vector", |state, more| resize(&mut state.secondary_witness.vector, more)),
        ("secondary accumulator's error", |state, more| resize(&mut state.secondary_witness.error, more)),
    ];
    let state = run(3).state;
    for (name, resize) in parts {
        for more in [false, true] {
            assert_eq!(refused(&state, |state| resize(state, more)), Refusal::Shape(name), "{name} {more}");
        }
    }
}

#[test]
fn a_proof_of_another_statement_is_refused() {
    let run = run(3);
    let (z, z2) = ([Fr::from(3)], [Fq::from(4)]);
    let refusal = |steps, z: u64, z2: u64| match run.verify_with(pp(), steps, &[Fr::from(z)], &[Fq::from(z2)])
    {
        Err(Error::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    };
    assert_eq!(run.verify_with(pp(), 3, &z, &z2).unwrap(), (run.primary_output(), run.secondary_output()));
    for steps in [0, 2, 4, u64::MAX] {
        assert_eq!(refusal(steps, 3, 4), Refusal::Steps { found: 3 });
    }
    assert_eq!(refusal(3, 4, 4), Refusal::Start(Side::Primary));
    assert_eq!(refusal(3, 3, 3), Refusal::Start(Side::Secondary));
}

#[test]
fn a_statement_that_the_proof_was_made_to_fit_is_refused_by_the_state_hash() {
    let mut run = run(3);
    run.state.primary_start[0] = Fr::from(4);
    let result = run.verify_with(pp(), 3, &[Fr::from(4)], &[Fq::from(4)]);
    assert!(matches!(result, Err(Error::Refused(Refusal::StateHash))), "{result:?}");
}

#[test]
fn other_parameters_are_refused_by_every_call_and_by_the_state_hash() {
    let mut run = run(3);
    assert!(matches!(run.verify(other_pp()), Err(Error::OtherParameters)));
    let fold = run.fold_step(other_pp(), &HONEST, &HONEST);
    assert!(matches!(fold, Err(Error::OtherParameters)));
    let refused = other_pp().parameters.verify(&run.state);
    assert!(matches!(refused, Err(Error::Refused(Refusal::StateHash))), "{refused:?}");
    run.verify(pp()).unwrap();
}
