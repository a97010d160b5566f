//! Holes of an earlier library for folding, each as a test that its kind of hole fails.
//!
//! Those that are in one module are tested there, by names that begin alike: 1 in `poseidon`, 9 in `gadgets`, 15 in
//! `tests/commitment_key_cache.rs`.

use std::num::NonZeroUsize;

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::{Field as _, PrimeField as _};
use halo2curves::group::Curve as _;

use super::super::{IVC, PublicParams};
use super::first::{
    assert_refused, lifted_with_a_chosen_b, lifted_with_an_error, lifted_with_doubled_betas, sum,
};
use super::fixture::{C1, HONEST, KEYS, Pp, ROWS, Sample, parameters, pp, refusal, run, step};
use super::forged::{Execution, advanced};
use super::lookups::{chosen_challenges, claim_state_hash};
use crate::commitment::CommitmentKey;
use crate::ivc::{CircuitPublicParamsInput, Error, Refusal, Side};
use crate::poseidon::Spec;

#[test]
fn hole_02_a_gate_is_evaluated_in_every_row_that_it_is_enabled_in() {
    for row in 0..ROWS {
        let mut run = run(1);
        run.fold_step(pp(), &Sample::wrong(row), &HONEST).unwrap();
        assert_eq!(refusal(&run.state), Refusal::LastInstance, "row {row}");
        step(pp(), &mut run);
        assert_eq!(refusal(&run.state), Refusal::PrimaryAccumulator, "row {row}");
    }
}

#[test]
fn hole_03_the_values_of_both_polynomials_are_constrained_in_the_circuit() {
    let state = run(3).state;
    let proof = Execution::honest(state.clone()).proof;
    let (perturbator, quotient) = (proof.perturbator.len(), proof.quotient.len());
    for coefficient in [0, perturbator - 1, perturbator, perturbator + quotient - 1] {
        // Where the circuit alone has it, another state comes out.
        let mut execution = Execution::honest(state.clone());
        let proof = &mut execution.proof;
        *proof.perturbator.iter_mut().chain(&mut proof.quotient).nth(coefficient).unwrap() += Fr::ONE;
        let proof = execution.proof.clone();
        assert_eq!(refusal(&execution.finish()), Refusal::StateHash, "coefficient {coefficient}");
        // Where prover and verifier have it too, its claim does not hold.
        let mut execution = Execution { proof, ..Execution::honest(state.clone()) };
        execution.refold(&mut parameters().hashes.fold_oracle(&state));
        assert_eq!(refusal(&execution.finish()), Refusal::PrimaryAccumulator, "coefficient {coefficient}");
    }
}

#[test]
fn hole_04_a_wrong_error_is_not_healed_by_the_next_fold() {
    let mut run = run(2);
    run.fold_step(pp(), &Sample::wrong(1), &HONEST).unwrap();
    step(pp(), &mut run);
    let mut state = run.state;
    assert_eq!(refusal(&state), Refusal::PrimaryAccumulator);
    state.accumulator.error = sum(&state.accumulator, &state.accumulator_vector);
    assert!(state.accumulator.claim_holds(&parameters().primary.relation, &state.accumulator_vector));
    assert_eq!(refusal(&state), Refusal::StateHash);
    let mut after = advanced(pp(), state.clone());
    assert_eq!(refusal(&after), Refusal::LastInstance);
    after = advanced(pp(), after);
    assert_eq!(refusal(&after), Refusal::PrimaryAccumulator);
    claim_state_hash(&mut state);
    assert_eq!(refusal(&state), Refusal::LastInstance);
}

#[test]
fn hole_05_the_last_primary_instance_is_checked() {
    let mut run = run(2);
    run.fold_step(pp(), &Sample::wrong(0), &HONEST).unwrap();
    assert_eq!(refusal(&run.state), Refusal::LastInstance);
}

/// The accumulator alone has the co-processor's instances: each is folded in the step that it is made in.
#[test]
fn hole_05_the_co_processor_s_instance_is_folded_in_its_own_step() {
    let mut wrong = run(2);
    wrong.fold_step(pp(), &HONEST, &Sample::wrong(0)).unwrap();
    assert_eq!(refusal(&wrong.state), Refusal::SecondaryAccumulator);
    // A prover that leaves the fold out has another state than the circuit's.
    let mut state = wrong.state;
    let before = run(2).state;
    state.secondary_accumulator = before.secondary_accumulator;
    state.secondary_witness = before.secondary_witness;
    assert_eq!(refusal(&state), Refusal::StateHash);
    claim_state_hash(&mut state);
    assert_eq!(refusal(&state), Refusal::LastInstance);
}

#[test]
fn hole_06_the_last_instance_s_public_input_is_that_of_its_witness() {
    let state = run(3).state;
    let mut claimed = state.clone();
    // The outputs are others, and the instance has the hash of them; its vector satisfies the circuit.
    claimed.primary[0] += Fr::ONE;
    claimed.latest.publics[0] = parameters().hashes.state_hash(&claimed);
    claimed.latest.challenges = parameters().hashes.primary_challenges(&claimed.latest);
    assert_eq!(parameters().primary.relation.violations(&claimed.latest_vector, 1), vec![]);
    assert_eq!(refusal(&claimed), Refusal::Commitment("last instance"));
    // The vector has it too.
    claim_state_hash(&mut claimed);
    assert_eq!(refusal(&claimed), Refusal::LastInstance);
}

#[test]
fn hole_07_challenges_are_computed_again_by_the_verifier_and_by_the_circuit() {
    let state = chosen_challenges(1);
    assert_eq!(refusal(&state), Refusal::Challenges);
    let mut after = advanced(pp(), state);
    assert_eq!(refusal(&after), Refusal::StateHash);
    claim_state_hash(&mut after);
    assert_eq!(refusal(&after), Refusal::LastInstance);
}

#[test]
fn hole_08_sums_of_lookups_are_part_of_every_check() {
    for wrong in [[&Sample::missing(), &HONEST], [&HONEST, &Sample::missing()]] {
        let mut run = run(2);
        let [primary, secondary] = wrong;
        run.fold_step(pp(), primary, secondary).unwrap();
        let first = refusal(&run.state);
        step(pp(), &mut run);
        let then = refusal(&run.state);
        let expected = if primary.looked_up == HONEST.looked_up {
            (Refusal::SecondaryAccumulator, Refusal::SecondaryAccumulator)
        } else {
            (Refusal::LastInstance, Refusal::PrimaryAccumulator)
        };
        assert_eq!((first, then), expected);
    }
}

#[test]
fn hole_10_state_is_bound_by_an_element_of_full_width_that_covers_keys_and_oracle() {
    for steps in 1..=4 {
        let hash = run(steps).state.latest.publics[0];
        assert!(hash.to_repr()[16..].iter().any(|byte| *byte != 0), "more than 128 bits");
    }
    let (primary_key, secondary_key) = &*KEYS;
    let other_key = CommitmentKey::setup(14, b"another label").unwrap();
    let reference = || (Spec::reference().unwrap(), Spec::reference().unwrap());
    assert!(!reference().0.is_below_reference());
    let digest = |secondary_key, (first, second)| {
        let limbs = [68, 4].map(|number| NonZeroUsize::new(number).unwrap());
        let primary = CircuitPublicParamsInput::new(17, primary_key, first, &HONEST);
        let secondary = CircuitPublicParamsInput::new(17, secondary_key, second, &HONEST);
        let pp: Pp = PublicParams::new(primary, secondary, limbs[0], limbs[1]).unwrap();
        pp.digest()
    };
    assert_eq!(digest(secondary_key, reference()), pp().digest());
    let other_key: &'static _ = Box::leak(Box::new(other_key));
    assert_ne!(digest(other_key, reference()), pp().digest());
    let fewer = (Spec::reference().unwrap(), Spec::new(8, 59).unwrap());
    assert_ne!(digest(secondary_key, fewer), pp().digest());
}

#[test]
fn hole_11_the_first_betas_are_squares_of_a_number_drawn_after_the_first_instance() {
    let state = run(2).state;
    let betas = &state.accumulator.betas;
    assert!(betas.windows(2).all(|pair| pair[1] == pair[0].square()));
    assert_eq!(state.accumulator.error, Fr::ZERO);
    let mut oracle = parameters().hashes.lift_oracle(&run(1).state.latest);
    assert_eq!(betas[0], crate::poseidon::RandomOracle::squeeze(&mut oracle));
    for state in [lifted_with_a_chosen_b(), lifted_with_doubled_betas(), lifted_with_an_error()] {
        assert_refused(state);
    }
}

#[test]
fn hole_12_debug_mode_is_on_at_every_step() {
    let (z, z2) = ([Fr::from(3)], [Fq::from(4)]);
    for side in [Side::Primary, Side::Secondary] {
        let mut run = IVC::new(pp(), &HONEST, z, &HONEST, z2, true).unwrap();
        for _ in 1..3 {
            step(pp(), &mut run);
        }
        let wrong = Sample::wrong(2);
        let [primary, secondary] = if side == Side::Primary { [&wrong, &HONEST] } else { [&HONEST, &wrong] };
        match run.fold_step(pp(), primary, secondary) {
            Err(Error::Unsatisfied { step: 3, curve, .. }) => assert_eq!(curve, side),
            other => panic!("{other:?}"),
        }
        assert_eq!(run.steps(), 3);
        run.verify(pp()).unwrap();
    }
}

#[test]
fn hole_13_all_commitments_of_an_instance_are_folded_under_the_one_challenge_of_that_fold() {
    let (before, after) = (run(3).state, run(4).state);
    let (old, new) = (&before.accumulator.instance, &before.latest);
    let folded = &after.accumulator.instance;
    let gamma = (folded.publics[0] - old.publics[0]) * (new.publics[0] - old.publics[0]).invert().unwrap();
    assert_eq!(old.commitments.len(), 2);
    for round in 0..2 {
        let fold: C1 =
            (old.commitments[round] * (Fr::ONE - gamma) + new.commitments[round] * gamma).to_affine();
        assert_eq!(folded.commitments[round], fold);
        // A round folded by another challenge.
        let mut execution = Execution::honest(before.clone());
        let other = gamma + Fr::ONE;
        execution.accumulator.instance.commitments[round] =
            (old.commitments[round] * (Fr::ONE - other) + new.commitments[round] * other).to_affine();
        let mut state = execution.finish();
        assert_eq!(refusal(&state), Refusal::StateHash);
        claim_state_hash(&mut state);
        assert_eq!(refusal(&state), Refusal::LastInstance);
    }
}

#[test]
fn hole_14_the_number_of_steps_of_the_statement_counts() {
    let (z, z2) = ([Fr::from(3)], [Fq::from(4)]);
    for made in 1..=4 {
        for claimed in 0..=5 {
            let result = run(made).verify_with(pp(), claimed, &z, &z2);
            assert_eq!(result.is_ok(), claimed == made as u64, "{made} made, {claimed} claimed");
        }
    }
}

/// [`IVC::verify_with`] compares the number in the state with the one of the statement. That the number in the state is the one of
/// the steps that were made follows from the hash alone.
#[test]
fn hole_14_the_state_hash_covers_the_number_of_steps() {
    let (z, z2) = ([Fr::from(3)], [Fq::from(4)]);
    for made in 2..=4 {
        for claimed in (2..=5).filter(|claimed| *claimed != made as u64) {
            let mut run = run(made);
            run.state.steps = claimed;
            let result = run.verify_with(pp(), claimed, &z, &z2);
            assert!(
                matches!(result, Err(Error::Refused(Refusal::StateHash))),
                "{made}, {claimed}: {result:?}"
            );
            // The circuit of the next step compares the hashes too.
            assert_eq!(refusal(&advanced(pp(), run.state)), Refusal::LastInstance, "{made}, {claimed}");
        }
    }
}
