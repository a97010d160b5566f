//! The witness: the values of each row, found by going through the rounds plainly.

use halo2_axiom::halo2curves::bn256::Fr;

use super::{PARTIAL_ROUNDS_PER_ROW, Step, next_constants, remainder};
use crate::{
    parameters::Parameters,
    permutation::{initial_state, mix, substitute},
};

/// The cells of each row, state first, then inner cells where the row has them.
pub(super) fn rows(parameters: &Parameters, steps: &[Step], inputs: &[Fr]) -> Vec<Vec<Fr>> {
    rows_disturbed(parameters, steps, initial_state(inputs), |_, _| {})
}

/// The same from any state, with a hand on the state before each round, and after the last. Tests show with it
/// that whoever departs from the rounds anywhere, and is honest from there on, is found out.
pub(super) fn rows_disturbed(
    parameters: &Parameters,
    steps: &[Step],
    mut state: Vec<Fr>,
    mut disturb: impl FnMut(usize, &mut [Fr]),
) -> Vec<Vec<Fr>> {
    add_constants(parameters, 0, &mut state);
    disturb(0, &mut state);
    let mut rows = Vec::with_capacity(steps.len() + 1);
    for &step in steps {
        let mut row = state.clone();
        let (first, count, full) = match step {
            Step::Full { round } => (round, 1, true),
            Step::Partial { round } => (round, PARTIAL_ROUNDS_PER_ROW, false),
            Step::Remainder { round } => (round, remainder(parameters), false),
        };
        for round in first..first + count {
            if round > first {
                row.push(state[0]);
            }
            substitute(&mut state, full);
            state = mix(parameters, &state);
            add_constants(parameters, round + 1, &mut state);
            disturb(round + 1, &mut state);
        }
        rows.push(row);
    }
    rows.push(state);
    rows
}

fn add_constants(parameters: &Parameters, round: usize, state: &mut [Fr]) {
    for (element, constant) in state.iter_mut().zip(next_constants(parameters, round)) {
        *element += constant;
    }
}
