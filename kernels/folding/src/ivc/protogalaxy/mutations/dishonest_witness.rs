//! An overridden variable, with all that follows from it computed as an honest prover does.
//!
//! This finds what a change of one variable alone does not: a value that is bound to others which follow it, and to nothing
//! that was there before.

use std::collections::BTreeMap;

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::free::Free;
use super::names::{Name, copies, primary_names};
use super::rows::Rows;
use super::runs::{Execution, F, N, Overrides, Run, executions};
use crate::circuit::Variable;
use crate::relation::{Layout, Relation};

/// What the prover chooses in the primary circuit, and where that is decided.
const CHOSEN: [(Name, &str); 5] = [
    (Name::Perturbator, "decided by the claim that the accumulator makes: the challenges come after it"),
    (Name::Quotient, "decided by the claim that the accumulator makes: γ comes after it"),
    (Name::LatestCommitment, "decided by its opening: it is folded, and each challenge comes after it"),
    (Name::FoldedCommitment, "decided by the co-processor: it is a public input of its instance"),
    (Name::SecondaryNext, "decided by the co-processor, whose step computes it"),
];

/// What in addition nothing decides before the first step.
const CHOSEN_AT_FIRST: [(Name, &str); 6] = [
    (Name::Parameters, "decided by who verifies: the state hash has it"),
    (
        Name::AccumulatorCommitment,
        "the instance of execution 0 is lifted at the next, and this accumulator is discarded",
    ),
    (Name::AccumulatorPublic, "as its commitments"),
    (Name::AccumulatorChallenge, "as its commitments"),
    (Name::AccumulatorClaim, "as its commitments"),
    (
        Name::LatestPublic,
        "there is no instance before the first; what is lifted of it is discarded at the next",
    ),
];

/// Another value, small where this one is small.
fn other_value<F: PrimeField>(value: F) -> F {
    if value == F::ONE { F::ZERO } else { value + F::ONE }
}

fn variable(layout: &Layout, index: usize) -> Option<Variable> {
    let number = |index: usize, first: usize| u32::try_from(index - first).unwrap();
    let (public, first) = (layout.public(), layout.round(0));
    if public.contains(&index) {
        return Some(Variable::Public(number(index, public.start)));
    }
    // Challenges and the second round follow from commitments: no circuit assigns them.
    first.contains(&index).then(|| Variable::Witness(0, number(index, first.start)))
}

/// The variables that may be overridden, among those of these numbers.
fn accepted<F: PrimeField>(
    relation: &Relation<F>,
    honest: &[F],
    chosen: impl Fn(usize) -> bool + Sync,
    build: impl Fn(Overrides<F>) -> Vec<F> + Sync,
) -> Vec<usize> {
    let rows = Rows::new(relation);
    (1..honest.len())
        .into_par_iter()
        .filter(|index| chosen(*index))
        .filter(|index| {
            let Some(variable) = variable(relation.layout(), *index) else { return false };
            let vector = build(Overrides::from([(variable, other_value(honest[*index]))]));
            assert_ne!(vector[*index], honest[*index], "the variable was overridden");
            !rows.refuse(*index, &vector) && relation.violations(&vector, 1).is_empty()
        })
        .collect()
}

fn chosen_names(execution: &Execution) -> impl Iterator<Item = Name> {
    let at_first = CHOSEN_AT_FIRST.iter().filter(|_| execution.before.steps == 0);
    CHOSEN.iter().chain(at_first).map(|(name, _)| *name)
}

fn assert_overrides_are_refused(
    run: &Run,
    execution: &Execution,
    name: &str,
    part: impl Fn(usize) -> bool + Sync,
) {
    let relation = &run.parameters.primary.relation;
    let honest = &execution.primary_vector;
    let rows = Rows::new(relation);
    let names = primary_names(run);
    let found = accepted(relation, honest, &part, |overrides| execution.primary(&run.parameters, overrides));
    let chosen: Vec<_> = chosen_names(execution).collect();
    // What the prover chooses has to be in range all the same, and another value may not be.
    let may = |index: &usize| {
        let is_chosen = names.get(index).is_some_and(|name| chosen.contains(name));
        (is_chosen && found.contains(index)) || Free::of(&rows, *index, honest).is_some()
    };
    let expected: Vec<_> = (1..honest.len()).filter(|index| part(*index)).filter(may).collect();
    let described = |indices: &[usize], others: &[usize]| {
        let only = indices.iter().filter(|index| !others.contains(index));
        only.map(|index| (*index, names.get(index).copied(), rows.describe(*index))).collect::<Vec<_>>()
    };
    assert_eq!(
        found,
        expected,
        "{name}: accepted {:#?}, refused {:#?}",
        described(&found, &expected),
        described(&expected, &found)
    );
}

/// Of variables that occur in the same places so many, or all, and those that may be overridden.
fn assert_secondary_overrides_are_refused(
    run: &Run,
    execution: &Execution,
    name: &str,
    of_each: Option<usize>,
) {
    let relation = &run.parameters.secondary.relation;
    let honest = &execution.secondary_vector;
    let rows = Rows::new(relation);
    let first = relation.layout().round(0).start;
    // γ is the first variable, and its public input follows; so do those of a step that returns its input. The primary
    // circuit has the same public inputs.
    let mut expected: BTreeMap<usize, &str> = BTreeMap::from([(first, "γ")]);
    if run.parameters.secondary.step.gates.is_empty() {
        expected.insert(relation.layout().public().end - 2, "the step's input");
    }
    let unused = (1..honest.len()).filter(|index| Free::of(&rows, *index, honest).is_some());
    expected.extend(unused.map(|index| (index, "free")));
    let sample = of_each.map(|of_each| rows.sample(of_each));
    let chosen = |index: usize| {
        let in_sample = sample.as_ref().is_none_or(|sample| sample.contains(&index));
        in_sample || expected.contains_key(&index) || relation.layout().public().contains(&index)
    };
    let found =
        accepted(relation, honest, chosen, |overrides| execution.secondary(&run.parameters, overrides));
    assert_eq!(found, expected.keys().copied().collect::<Vec<_>>(), "{name}: {expected:?}");
}

#[test]
fn refuses_an_overridden_variable_with_all_that_follows_from_it_unless_something_else_decides() {
    // Each input and each copy of one is overridden at one execution of either run, and not at the same of both.
    for (number, (run, execution, name)) in executions().enumerate() {
        let (copies, names) = (copies(run, execution), primary_names(run));
        let turn = number % 3 + number / 3;
        let chosen = |index: usize| {
            let is_input = copies.contains(&index) || names.contains_key(&index);
            index % 2_003 == turn || is_input && index % 3 == turn % 3
        };
        assert_overrides_are_refused(run, execution, &name, chosen);
    }
}

#[test]
#[ignore = "long: builds a circuit for each of its variables"]
fn refuses_every_overridden_variable_with_all_that_follows_from_it_unless_something_else_decides() {
    for (run, execution, name) in executions() {
        assert_overrides_are_refused(run, execution, &name, |_| true);
    }
}

#[test]
fn refuses_an_overridden_variable_of_each_kind_in_the_co_processor_unless_the_primary_circuit_decides() {
    for (run, execution, name) in executions() {
        assert_secondary_overrides_are_refused(run, execution, &name, Some(4));
    }
}

#[test]
#[ignore = "long: builds a circuit for each of its variables"]
fn refuses_every_overridden_variable_of_the_co_processor_unless_the_primary_circuit_decides() {
    for (run, execution, name) in executions() {
        assert_secondary_overrides_are_refused(run, execution, &name, None);
    }
}

#[test]
fn overrides_a_small_value_by_a_small_one() {
    assert_eq!([0, 1, 2].map(|value| other_value(F::from(value))), [1, 0, 3].map(F::from));
    assert_eq!(other_value(-N::from(1)), N::from(0));
}
