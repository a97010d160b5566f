//! Lookups of what is not in the table, by provers that choose what they can.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;

use super::fixture::{HONEST, Sample, State, parameters, pp, refusal, run, step};
use super::forged::{advanced, recommit};
use crate::ivc::Refusal;
use crate::relation::{Group, Input, Relation};

fn cells(input: Option<&Input<Fr>>) -> &[u32] {
    match input {
        Some(Input::Cell(cells)) => cells,
        _ => panic!("summands and multiplicities are variables"),
    }
}

fn group<'a>(relation: &'a Relation<Fr>, name: &str) -> (usize, &'a Group<Fr>) {
    relation.numbered_groups().find(|(_, group)| group.name() == name).unwrap()
}

/// The summands of a table and the multiplicities.
fn table(relation: &Relation<Fr>) -> (&[u32], &[u32]) {
    let inputs = group(relation, "lookup table").1.inputs();
    (cells(inputs.iter().rev().nth(1)), cells(inputs.last()))
}

/// What each row of this group is short of, where its summands are 1.
fn denominators(relation: &Relation<Fr>, vector: &[Fr], name: &str, summands: &[u32]) -> Vec<Fr> {
    let mut vector = vector.to_vec();
    summands.iter().for_each(|summand| vector[*summand as usize] = Fr::ONE);
    let (first, group) = group(relation, name);
    relation.values(&vector)[first..first + group.rows()].to_vec()
}

/// Fills in the second round that follows from a vector's challenges and first round.
pub(super) fn second_round(vector: &mut [Fr]) {
    let relation = &parameters().primary.relation;
    let summands = cells(group(relation, "lookup squares").1.inputs().last());
    let denominators_of_rows = denominators(relation, vector, "lookup squares", summands);
    for (summand, value) in summands.iter().zip(denominators_of_rows) {
        vector[*summand as usize] = (value + Fr::ONE).invert().unwrap();
    }
    let (summands, multiplicities) = table(relation);
    let denominators_of_table = denominators(relation, vector, "lookup table", summands);
    for ((summand, multiplicity), value) in summands.iter().zip(multiplicities).zip(denominators_of_table) {
        let multiplicity = vector[*multiplicity as usize];
        vector[*summand as usize] = multiplicity * (value + multiplicity).invert().unwrap();
    }
}

/// Changes one multiplicity so that the sums agree under the vector's challenges, whatever is looked up.
fn balance(vector: &mut [Fr]) {
    let relation = &parameters().primary.relation;
    let sums = relation.values(vector)[group(relation, "lookup sums").0];
    let (summands, multiplicities) = table(relation);
    let (summand, multiplicity) = (summands[0] as usize, multiplicities[0] as usize);
    let value = denominators(relation, vector, "lookup table", summands)[0];
    let denominator = value + vector[multiplicity];
    vector[summand] += sums;
    vector[multiplicity] = vector[summand] * denominator;
}

/// Makes the last instance again of the first round of its vector, as an honest prover does.
pub(super) fn remake_last(state: &mut State) {
    recommit(state);
    let challenges = parameters().hashes.primary_challenges(&state.latest);
    let range = parameters().primary.relation.layout().challenge();
    state.latest_vector[range].copy_from_slice(&challenges);
    second_round(&mut state.latest_vector);
    recommit(state);
}

/// Makes the last instance one whose public input is the hash of the state, whatever the circuit says of it.
pub(super) fn claim_state_hash(state: &mut State) {
    state.latest_vector[1] = parameters().hashes.state_hash(state);
    remake_last(state);
}

#[test]
fn an_honest_last_instance_is_remade_as_it_was() {
    let state = run(2).state;
    let mut remade = state.clone();
    claim_state_hash(&mut remade);
    assert_eq!(remade.latest, state.latest);
    assert_eq!(remade.latest_vector, state.latest_vector);
}

/// A computation whose last step looks up what is not in the table.
fn missing(steps: usize) -> State {
    let mut run = run(steps);
    run.fold_step(pp(), &Sample::missing(), &HONEST).unwrap();
    run.state
}

/// The same, proved under challenges that were chosen before the multiplicities.
pub(super) fn chosen_challenges(steps: usize) -> State {
    let mut state = missing(steps);
    let range = parameters().primary.relation.layout().challenge();
    for (entry, chosen) in range.zip(11..) {
        state.latest_vector[entry] = Fr::from(chosen);
    }
    second_round(&mut state.latest_vector);
    balance(&mut state.latest_vector);
    recommit(&mut state);
    let violations = parameters().primary.relation.violations(&state.latest_vector, 1);
    assert_eq!(violations, vec![], "the prover that chooses challenges looks up what it likes");
    state
}

#[test]
fn a_lookup_outside_the_table_is_refused_at_once_and_later() {
    let state = missing(1);
    assert_eq!(refusal(&state), Refusal::LastInstance);
    let mut later = run(1);
    later.fold_step(pp(), &Sample::missing(), &HONEST).unwrap();
    step(pp(), &mut later);
    assert_eq!(refusal(&later.state), Refusal::PrimaryAccumulator);
}

#[test]
fn multiplicities_that_balance_the_sums_change_the_challenges() {
    let mut state = missing(2);
    balance(&mut state.latest_vector);
    let under_old_challenges = parameters().primary.relation.violations(&state.latest_vector, 1);
    assert_eq!(under_old_challenges, vec![]);
    let mut sealed = state.clone();
    recommit(&mut sealed);
    assert_eq!(refusal(&sealed), Refusal::Challenges);
    remake_last(&mut state);
    assert_eq!(refusal(&state), Refusal::LastInstance);
}

#[test]
fn challenges_that_a_prover_chose_are_refused_at_once_and_by_the_next_step() {
    let state = chosen_challenges(2);
    assert_eq!(refusal(&state), Refusal::Challenges);
    let mut later = advanced(pp(), state);
    assert_eq!(refusal(&later), Refusal::StateHash);
    claim_state_hash(&mut later);
    assert_eq!(refusal(&later), Refusal::LastInstance);
}
