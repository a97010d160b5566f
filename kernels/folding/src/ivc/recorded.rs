//! The relation of a circuit that is built once without values.

use halo2curves::ff::PrimeField;

use crate::circuit::Circuit;
use crate::frontend::StepShape;
use crate::relation::Relation;

/// The relation of the rows that a circuit recorded.
pub(super) fn relation<F: PrimeField>(circuit: Circuit<F>) -> Relation<F> {
    let shape = circuit.into_shape().expect("rows were recorded");
    Relation::new(shape.layout, shape.groups)
}

/// Values in the places of those that a step has.
pub(super) fn no_values<F: PrimeField>(step: &StepShape<F>) -> (Vec<F>, Vec<Vec<u64>>) {
    (vec![F::ZERO; step.variables], step.tables.iter().map(|table| vec![0; table.len()]).collect())
}
