//! The rows of a permutation: what S-box inputs have to do with those before them.

use halo2curves::ff::PrimeField;

use crate::circuit::Gate;
use crate::poseidon::Spec;
use crate::relation::Expression;

/// A full round. Inputs: `T` of S-boxes, the `T` of the next round, and the `T` constants of that round.
pub(super) fn full_round<F: PrimeField, const T: usize, const RATE: usize>(
    name: &str,
    spec: &Spec<F, T, RATE>,
) -> Gate<F> {
    let boxes = fifth_powers(T);
    let mixed = |row: usize| combination(&boxes, &spec.mds()[row]);
    let expressions =
        (0..T).map(|row| mixed(row) + Expression::Input(2 * T + row) - Expression::Input(T + row));
    Gate { name: name.to_owned(), inputs: 3 * T, expressions: expressions.collect() }
}

/// From the last full round before the partial ones to their first `T` inputs. Inputs: `T` of S-boxes, `T` of these.
pub(super) fn enter<F: PrimeField, const T: usize, const RATE: usize>(
    name: &str,
    spec: &Spec<F, T, RATE>,
) -> Gate<F> {
    let boxes = fifth_powers(2 * T);
    let first = &spec.recurrence().first;
    let expression = |row: usize| {
        combination(&boxes[..T], &first.fifth_before[row])
            + combination(&boxes[T..T + row], &first.fifth[row][..row])
            + Expression::Constant(first.constants[row])
            - Expression::Input(T + row)
    };
    Gate { name: name.to_owned(), inputs: 2 * T, expressions: (0..T).map(expression).collect() }
}

/// `rounds` partial rounds. Inputs: `T` of S-boxes, the `rounds` that follow, and their constants.
pub(super) fn partial_rounds<F: PrimeField, const T: usize, const RATE: usize>(
    name: &str,
    spec: &Spec<F, T, RATE>,
    rounds: usize,
) -> Gate<F> {
    let boxes = fifth_powers(T + rounds - 1);
    let next = &spec.recurrence().next;
    let inputs: Vec<_> = (0..T + rounds).map(Expression::Input).collect();
    let expression = |round: usize| {
        combination(&boxes[round..round + T], &next.fifth)
            + combination(&inputs[round..round + T], &next.linear)
            + Expression::Input(T + rounds + round)
            - Expression::Input(T + round)
    };
    Gate { name: name.to_owned(), inputs: T + 2 * rounds, expressions: (0..rounds).map(expression).collect() }
}

/// From the last `T` partial rounds to the full round that follows. Inputs: `T` of S-boxes, `T` of that round.
pub(super) fn leave<F: PrimeField, const T: usize, const RATE: usize>(
    name: &str,
    spec: &Spec<F, T, RATE>,
) -> Gate<F> {
    let boxes = fifth_powers(T);
    let inputs: Vec<_> = (0..T).map(Expression::Input).collect();
    let leave = &spec.recurrence().leave;
    let expression = |row: usize| {
        combination(&boxes, &leave.fifth[row])
            + combination(&inputs, &leave.linear[row])
            + Expression::Constant(leave.constants[row])
            - Expression::Input(T + row)
    };
    Gate { name: name.to_owned(), inputs: 2 * T, expressions: (0..T).map(expression).collect() }
}

fn fifth_powers<F: PrimeField>(inputs: usize) -> Vec<Expression<F>> {
    (0..inputs).map(|input| Expression::Input(input).fifth_power()).collect()
}

fn combination<F: PrimeField>(terms: &[Expression<F>], factors: &[F]) -> Expression<F> {
    let used = terms.iter().zip(factors).filter(|(_, factor)| !bool::from(factor.is_zero()));
    let scaled = used.map(|(term, factor)| term.clone() * *factor);
    scaled.reduce(|sum, term| sum + term).unwrap_or(Expression::Constant(F::ZERO))
}
