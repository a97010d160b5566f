//! One hash `H(x, x)` in rank-1 constraints: three an S-box, and none for the linear layers.
//!
//! The naive way makes a variable of each S-box's output. Inputs of partial rounds are then sums over all rounds before
//! them. Here the state before each block of three S-boxes is variables instead: three outputs are an invertible linear
//! map of the state after the block and the one before it, so that no sum has more terms than two states have elements.

mod form;

use std::{mem, ops::Range};

pub(super) use form::Form;
use form::{Symbol, solve};
use halo2curves::{bn256::Fr, ff::Field};

use super::constants::{Constants, ROUNDS, WIDTH, blocks, fifth_power, sboxes};

/// Constraints and variables of a hash, the same for each.
#[derive(Debug)]
pub(super) struct Hash {
    /// The first times the second is the third. Variable 0 is `x`, the others come in the order of [`witness`].
    pub(super) constraints: Vec<[Form; 3]>,
    /// All variables, `x` among them; the last is the hash.
    pub(super) variables: usize,
}

impl Hash {
    pub(super) fn new(constants: &Constants) -> Self {
        let mut hash = Self { constraints: Vec::new(), variables: 1 };
        let x = Form::from(Symbol::Variable(0));
        let mut state = plus([Form::from(Fr::ZERO), x.clone(), x], constants.of_round(0));
        for rounds in blocks() {
            state = hash.block(constants, rounds, state);
        }
        hash
    }

    /// Constraints of a block of rounds. Returns the state after it.
    fn block(&mut self, constants: &Constants, rounds: Range<usize>, state: [Form; WIDTH]) -> [Form; WIDTH] {
        let last = rounds.end == ROUNDS;
        let (inputs, state) = through(constants, rounds, state);
        let output = |at| Form::from(Symbol::Output(at));
        // Of the last state only the hash is needed.
        let kept =
            if last { vec![output(0), output(1), state[0].clone()] } else { state[..inputs.len()].to_vec() };
        let powers = self.variables;
        self.variables += 2 * inputs.len() + kept.len();
        let outputs = solve(&kept, self.variables - kept.len());
        for (at, (input, output)) in inputs.iter().zip(&outputs).enumerate() {
            let input = input.with_outputs(&outputs);
            let power = |offset| Form::from(Symbol::Variable(powers + 2 * at + offset));
            self.constraints.push([input.clone(), input.clone(), power(0)]);
            self.constraints.push([power(0), power(0), power(1)]);
            self.constraints.push([power(1), input, output.clone()]);
        }
        state.map(|element| element.with_outputs(&outputs))
    }
}

/// Inputs of the rounds' S-boxes, and the state after them, where the S-boxes' outputs are symbols.
fn through(
    constants: &Constants,
    rounds: Range<usize>,
    mut state: [Form; WIDTH],
) -> (Vec<Form>, [Form; WIDTH]) {
    let mut inputs = Vec::new();
    for round in rounds {
        for element in &mut state[..sboxes(round)] {
            *element = match element.as_constant() {
                Some(constant) => Form::from(fifth_power(constant)),
                None => {
                    let output = Form::from(Symbol::Output(inputs.len()));
                    inputs.push(mem::replace(element, output.clone()));
                    output
                }
            };
        }
        let mixed = constants.matrix.map(|row| {
            row.iter().zip(&state).fold(Form::from(Fr::ZERO), |sum, (&factor, form)| sum.plus(factor, form))
        });
        state = plus(mixed, constants.of_round(round + 1));
    }
    (inputs, state)
}

fn plus(state: [Form; WIDTH], constants: [Fr; WIDTH]) -> [Form; WIDTH] {
    let mut constants = constants.into_iter();
    state.map(|form| form.plus(Fr::ONE, &Form::from(constants.next().unwrap_or(Fr::ZERO))))
}

/// Appends the values of all variables but `x`: of each block the second and fourth powers of its S-boxes' inputs, then
/// the state after it.
pub(super) fn witness(constants: &Constants, x: Fr, values: &mut Vec<Fr>) {
    let add = |state: [Fr; WIDTH], round| {
        let [a, b, c] = constants.of_round(round);
        [state[0] + a, state[1] + b, state[2] + c]
    };
    let mut state = add([Fr::ZERO, x, x], 0);
    // The first input is a constant.
    state[0] = fifth_power(state[0]);
    let mut constant = 1;
    for rounds in blocks() {
        let last = rounds.end == ROUNDS;
        let mut outputs = Vec::with_capacity(WIDTH);
        for round in rounds {
            for element in &mut state[mem::take(&mut constant)..sboxes(round)] {
                let square = element.square();
                let fourth = square.square();
                *element *= fourth;
                values.extend([square, fourth]);
                outputs.push(*element);
            }
            state = add(constants.mix(&state), round + 1);
        }
        if last {
            values.extend([outputs[0], outputs[1], state[0]]);
        } else {
            values.extend(&state[..outputs.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values_of(constants: &Constants, x: Fr) -> Vec<Fr> {
        let mut values = vec![x];
        witness(constants, x, &mut values);
        values
    }

    fn holds(hash: &Hash, values: &[Fr]) -> bool {
        hash.constraints.iter().all(|[a, b, c]| a.value(values) * b.value(values) == c.value(values))
    }

    #[test]
    fn eighty_sboxes_take_three_constraints_and_variables_each_and_no_sum_is_long() {
        let hash = Hash::new(&Constants::generate());
        assert_eq!((hash.constraints.len(), hash.variables), (240, 241));
        let longest = hash.constraints.iter().flatten().map(|form| form.terms().count()).max();
        assert_eq!(longest, Some(5));
    }

    #[test]
    fn the_witness_of_any_input_satisfies_the_constraints_and_ends_in_its_hash() {
        let constants = Constants::generate();
        let hash = Hash::new(&constants);
        for x in [Fr::ZERO, Fr::from(2), -Fr::from(3), constants.round[7][1]] {
            let values = values_of(&constants, x);
            assert_eq!(values.len(), hash.variables);
            assert!(holds(&hash, &values));
            assert_eq!(values.last(), Some(&constants.hash(x, x)));
        }
    }

    #[test]
    fn a_change_of_any_one_value_breaks_a_constraint() {
        let constants = Constants::generate();
        let hash = Hash::new(&constants);
        let values = values_of(&constants, Fr::from(2));
        for at in 0..values.len() {
            let mut changed = values.clone();
            changed[at] += Fr::ONE;
            assert!(!holds(&hash, &changed), "variable {at} may be anything");
        }
    }
}
