//! States that are not those that were hashed, with all that follows from them: the hash alone refuses.

use halo2curves::ff::Field as _;

use super::runs::{C1, C2, Execution, F, N, Overrides, Run, refusals, runs};
use crate::circuit::Variable;
use crate::protogalaxy::Accumulator;

pub(super) type Change = (&'static str, fn(&mut Execution));

fn old(execution: &mut Execution) -> &mut Accumulator<C1> {
    &mut execution.before.accumulator
}

/// What the state hash binds.
pub(super) const HASHED: [Change; 20] = [
    ("parameters", |changed| changed.parameters += F::ONE),
    ("a step more", |changed| changed.before.steps += 1),
    ("primary input", |changed| changed.before.primary_start[0] += F::ONE),
    ("primary state", |changed| changed.before.primary[0] += F::ONE),
    ("secondary input", |changed| changed.before.secondary_start[0] += N::ONE),
    ("secondary state", |changed| changed.before.secondary[0] += N::ONE),
    ("a commitment", |changed| old(changed).instance.commitments[0] = -old(changed).instance.commitments[0]),
    ("public input", |changed| old(changed).instance.publics[0] += F::ONE),
    ("first β", |changed| old(changed).betas[0] += F::ONE),
    ("last β", |changed| *old(changed).betas.last_mut().unwrap() += F::ONE),
    ("β swapped", |changed| old(changed).betas.swap(0, 1)),
    ("error", |changed| old(changed).error += F::ONE),
    ("error and public input swapped", |changed| {
        let Accumulator { instance, error, .. } = old(changed);
        std::mem::swap(&mut instance.publics[0], error);
    }),
    ("secondary commitment", |changed| {
        let commitment = &mut changed.before.secondary_accumulator.instance.commitments[0];
        *commitment = -*commitment;
    }),
    ("secondary public input", |changed| changed.before.secondary_accumulator.instance.publics[0] += N::ONE),
    ("secondary public inputs swapped", |changed| {
        changed.before.secondary_accumulator.instance.publics.swap(4, 5);
    }),
    ("secondary γ", |changed| changed.before.secondary_accumulator.instance.publics[6] += N::ONE),
    ("scale", |changed| changed.before.secondary_accumulator.scale += N::ONE),
    ("secondary error", |changed| {
        changed.before.secondary_accumulator.error =
            (changed.before.secondary_accumulator.error + C2::generator()).into();
    }),
    ("commitment to the error swapped with that to the vector", |changed| {
        let accumulator = &mut changed.before.secondary_accumulator;
        std::mem::swap(&mut accumulator.instance.commitments[0], &mut accumulator.error);
    }),
];

/// As [`HASHED`], where there are two elements of a kind.
pub(super) const HASHED_IN_MIXED: [Change; 8] = [
    ("primary input and state swapped", |changed| {
        let state = &mut changed.before;
        std::mem::swap(&mut state.primary_start, &mut state.primary);
    }),
    ("secondary input and state swapped", |changed| {
        let state = &mut changed.before;
        std::mem::swap(&mut state.secondary_start, &mut state.secondary);
    }),
    ("elements of the state swapped", |changed| changed.before.primary.swap(0, 1)),
    ("elements of the secondary state swapped", |changed| changed.before.secondary.swap(0, 1)),
    ("commitments swapped", |changed| old(changed).instance.commitments.swap(0, 1)),
    ("challenge", |changed| old(changed).instance.challenges[0] += F::ONE),
    ("challenges swapped", |changed| old(changed).instance.challenges.swap(0, 1)),
    ("secondary challenge", |changed| changed.before.secondary_accumulator.instance.challenges[2] += N::ONE),
];

fn vector(run: &Run, execution: &Execution, change: impl FnOnce(&mut Execution)) -> Vec<F> {
    let mut changed = execution.clone();
    change(&mut changed);
    changed.primary(&run.parameters, Overrides::new())
}

fn refusals_after(run: &Run, execution: &Execution, change: impl FnOnce(&mut Execution)) -> Vec<String> {
    refusals(&run.parameters.primary.relation, &vector(run, execution, change))
}

#[test]
fn a_state_that_is_not_the_one_hashed_is_refused_by_the_hash_alone() {
    for (run, mixed) in runs().iter().zip([false, true]) {
        let of_mixed = HASHED_IN_MIXED.iter().filter(|_| mixed);
        let changes: Vec<_> = HASHED.iter().chain(of_mixed).collect();
        for execution in &run.executions[1..] {
            for (name, change) in &changes {
                let at = format!("{name} at execution {} of {}", execution.before.steps, run.name);
                let vector = vector(run, execution, change);
                if vector == execution.primary_vector {
                    // At execution 1 some of it is still 0: the opposite, or two swapped, are the same.
                    assert_eq!(execution.before.steps, 1, "{at} is a change");
                    continue;
                }
                assert_eq!(refusals(&run.parameters.primary.relation, &vector), ["product"], "{at}");
            }
        }
    }
}

#[test]
fn another_public_input_than_the_hash_of_the_state_is_refused() {
    for run in runs() {
        for execution in &run.executions[1..] {
            let refused =
                refusals_after(run, execution, |changed| changed.before.latest.publics[0] += F::ONE);
            assert_eq!(refused, ["product"]);
        }
    }
}

#[test]
fn digests_of_the_two_accumulators_are_not_taken_for_each_other() {
    for run in runs() {
        for execution in &run.executions[1..] {
            let parameters = &run.parameters;
            let honest = &execution.primary_vector;
            let first = parameters.primary.relation.layout().round(0).start;
            let before = &execution.before;
            let digests = [
                parameters.hashes.primary_digest(before),
                parameters.hashes.relaxed().digest_of(&before.secondary_accumulator),
            ];
            let places = digests.map(|digest| honest.iter().position(|value| *value == digest).unwrap());
            let variable = |place: usize| Variable::Witness(0, u32::try_from(place - first).unwrap());
            let overrides =
                Overrides::from([(variable(places[0]), digests[1]), (variable(places[1]), digests[0])]);
            let refused = refusals(&parameters.primary.relation, &execution.primary(parameters, overrides));
            assert!(refused.iter().any(|group| group.starts_with("poseidon")), "{refused:?}");
            assert!(refused.iter().any(|group| group == "product"), "{refused:?}");
        }
    }
}

#[test]
fn the_first_execution_starts_at_the_input_with_an_empty_secondary_accumulator() {
    let changes: [Change; 10] = [
        ("a step more", |changed| changed.before.steps += 1),
        ("two steps more", |changed| changed.before.steps += 2),
        ("primary state", |changed| changed.before.primary[0] += F::ONE),
        ("primary input", |changed| changed.before.primary_start[0] += F::ONE),
        ("secondary state", |changed| changed.before.secondary[0] += N::ONE),
        ("secondary commitment", |changed| {
            changed.before.secondary_accumulator.instance.commitments[0] = C2::generator();
        }),
        ("secondary public input", |changed| {
            changed.before.secondary_accumulator.instance.publics[0] += N::ONE;
        }),
        ("scale", |changed| changed.before.secondary_accumulator.scale += N::ONE),
        ("error", |changed| changed.before.secondary_accumulator.error = C2::generator()),
        ("γ", |changed| {
            *changed.before.secondary_accumulator.instance.publics.last_mut().unwrap() += N::ONE;
        }),
    ];
    for run in runs() {
        let execution = &run.executions[0];
        for (name, change) in changes {
            let refused = refusals_after(run, execution, change);
            assert!(
                !refused.is_empty() && refused.iter().all(|group| group == "product"),
                "{name}: {refused:?}"
            );
        }
        // Both together are another statement.
        let other = |changed: &mut Execution| {
            changed.before.primary_start[0] += F::ONE;
            changed.before.primary[0] += F::ONE;
        };
        if run.name.starts_with("trivial") {
            assert_eq!(refusals_after(run, execution, other), Vec::<String>::new());
        }
    }
}

/// The inverse and the product of a test for zero, by the value of the inverse, which no earlier variable has.
fn zero_test(run: &Run, execution: &Execution, number: F) -> [Variable; 2] {
    let inverse = number.invert().unwrap();
    let first = run.parameters.primary.relation.layout().round(0).start;
    let place = execution.primary_vector[first..].iter().position(|value| *value == inverse).unwrap();
    [0, 1].map(|next| Variable::Witness(0, u32::try_from(place + next).unwrap()))
}

#[test]
fn whether_an_execution_is_the_first_or_the_second_is_refused_by_its_own_row() {
    for run in runs() {
        let relation = &run.parameters.primary.relation;
        // Execution 3 is claimed to be the second, whose instance is lifted.
        let execution = &run.executions[2];
        let [inverse, product] = zero_test(run, execution, F::from(2));
        let overrides = Overrides::from([(inverse, F::ZERO), (product, F::ZERO)]);
        assert_eq!(refusals(relation, &execution.primary(&run.parameters, overrides)), ["product"]);
        // It is claimed to be the first, whose state is not hashed.
        let [inverse, product] = zero_test(run, execution, F::from(3));
        let overrides = Overrides::from([(inverse, F::ZERO), (product, F::ZERO)]);
        let refused = refusals(relation, &execution.primary(&run.parameters, overrides));
        assert!(refused.len() > 1 && refused.iter().all(|group| group == "product"), "{refused:?}");
        // The second is claimed to be a later one: its inverse is that of 0, where the one before is of 1.
        let execution = &run.executions[1];
        let [_, product] = zero_test(run, &run.executions[2], F::from(2));
        let overrides = Overrides::from([(product, F::ONE)]);
        assert_eq!(refusals(relation, &execution.primary(&run.parameters, overrides)), ["product"]);
    }
}
