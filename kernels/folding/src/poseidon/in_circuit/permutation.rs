//! The permutation in a circuit: one variable for each S-box but those of the first round, and one for each element of
//! the state that comes out.

use halo2curves::ff::PrimeField;

use super::gates;
use crate::circuit::{Circuit, Gate, Linear};
use crate::poseidon::Spec;

/// The state after the permutation. A row has at most `boxes` partial rounds.
pub(super) fn permute<F: PrimeField, const T: usize, const RATE: usize>(
    spec: &Spec<F, T, RATE>,
    boxes: usize,
    circuit: &mut Circuit<F>,
    state: &[Linear<F>; T],
) -> [Linear<F>; T] {
    let mut values = state.each_ref().map(Linear::value);
    let mut seen = Vec::with_capacity(T * spec.full_rounds() + spec.partial_rounds());
    spec.permute_seen(&mut values, |input| seen.push(input));

    let constants = spec.round_constants();
    let first = (0..T).map(|index| &state[index] + &Linear::constant(constants[0][index]));
    let mut inputs: Vec<_> = first.collect();
    inputs.extend(seen[T..].iter().chain(&values).map(|value| circuit.witness(*value)));

    let half = spec.full_rounds() / 2;
    let (before, rest) = inputs.split_at(half * T);
    let (partial, after) = rest.split_at(spec.partial_rounds());
    full_rounds(spec, circuit, before, &constants[1..half]);
    enforce(
        circuit,
        &format!("poseidon {T} enter"),
        |name| gates::enter(name, spec),
        [&before[(half - 1) * T..], &partial[..T]],
    );
    partial_rounds(spec, boxes, circuit, partial);
    let last = &partial[partial.len() - T..];
    enforce(circuit, &format!("poseidon {T} leave"), |name| gates::leave(name, spec), [last, &after[..T]]);
    // After the last round the state is mixed, with nothing added.
    let none = [[F::ZERO; T]];
    let after_constants: Vec<_> =
        constants[half + partial.len() + 1..].iter().chain(&none).copied().collect();
    full_rounds(spec, circuit, after, &after_constants);
    std::array::from_fn(|index| after[after.len() - T + index].clone())
}

/// Rows between consecutive full rounds, given the constants of all but the first.
fn full_rounds<F: PrimeField, const T: usize, const RATE: usize>(
    spec: &Spec<F, T, RATE>,
    circuit: &mut Circuit<F>,
    inputs: &[Linear<F>],
    constants: &[[F; T]],
) {
    for (round, constants) in constants.iter().enumerate() {
        let constants = constants.map(Linear::constant);
        let both = &inputs[round * T..(round + 2) * T];
        enforce(
            circuit,
            &format!("poseidon {T} full round"),
            |name| gates::full_round(name, spec),
            [both, &constants],
        );
    }
}

fn partial_rounds<F: PrimeField, const T: usize, const RATE: usize>(
    spec: &Spec<F, T, RATE>,
    boxes: usize,
    circuit: &mut Circuit<F>,
    inputs: &[Linear<F>],
) {
    let constants = &spec.recurrence().next.constants;
    for (block, constants) in constants.chunks(boxes).enumerate() {
        let (rounds, first) = (constants.len(), block * boxes);
        let window = &inputs[first..first + T + rounds];
        let constants: Vec<_> = constants.iter().copied().map(Linear::constant).collect();
        let name = format!("poseidon {T} partial rounds x{rounds}");
        enforce(circuit, &name, |name| gates::partial_rounds(name, spec, rounds), [window, &constants]);
    }
}

fn enforce<F: PrimeField>(
    circuit: &mut Circuit<F>,
    name: &str,
    gate: impl FnOnce(&str) -> Gate<F>,
    inputs: [&[Linear<F>]; 2],
) {
    let inputs: Vec<_> = inputs.into_iter().flatten().collect();
    circuit.enforce(name, || gate(name), &inputs);
}
