//! The secondary circuit: folds the primary's commitments, which are native to it, and runs the secondary step.
//!
//! Public inputs: for each commitment `C`, `C_1` and `C' = C + γ (C_1 - C)` by their coordinates, then `γ`, then the
//! step's input and output. All of them are variables of the primary circuit too, which is what ties the two together.

use halo2curves::ff::PrimeField as _;

use crate::circuit::{Circuit, PlacedStep, Variable};
use crate::gadgets::Short;
use crate::gadgets::ecc::{Multiplier, NativeCurve, Point};
use crate::ivc::encode::coordinates;
use crate::ivc::step::StepValues;

/// One execution's inputs.
pub(super) struct Inputs<'a, C: NativeCurve> {
    /// Each accumulated commitment, with the latest one.
    pub(super) commitments: Vec<[C; 2]>,
    pub(super) gamma: u128,
    pub(super) step: StepValues<'a, C::Base>,
}

/// Builds the circuit. Its public inputs are as many as [`publics`] says.
pub(super) fn build<C: NativeCurve>(
    circuit: &mut Circuit<C::Base>,
    inputs: &Inputs<'_, C>,
) -> PlacedStep<C::Base> {
    let points: Vec<_> = inputs
        .commitments
        .iter()
        .map(|pair| pair.map(|point| coordinates(&point).map(|value| circuit.public(value))))
        .collect();
    let gamma = circuit.witness(C::Base::from_u128(inputs.gamma));
    let gamma = Short::new(circuit, &gamma);
    let multiplier = Multiplier::new(circuit, &gamma);
    for pair in points {
        let [accumulated, latest] = pair.map(|[x, y]| Point::<C>::from_coordinates(circuit, x, y));
        let folded = accumulated.interpolate(circuit, &multiplier, &latest);
        for coordinate in [folded.x(), folded.y()] {
            let public = circuit.public(coordinate.value());
            circuit.enforce_equal(&public, coordinate);
        }
    }
    let public = circuit.public(gamma.value.value());
    circuit.enforce_equal(&public, &gamma.value);
    step(circuit, inputs.step)
}

fn step<F: halo2curves::ff::PrimeField>(circuit: &mut Circuit<F>, step: StepValues<'_, F>) -> PlacedStep<F> {
    let arity = step.shape.arity;
    let first = circuit.layout().publics;
    for value in &step.values[..arity] {
        circuit.public(*value);
    }
    let inputs = (first..first + arity)
        .map(|index| Variable::Public(u32::try_from(index).expect("arities are small")));
    let (placed, outputs) = circuit.step(step.shape, inputs.collect(), step.values, step.multiplicities);
    for output in outputs {
        let public = circuit.public(output.value());
        circuit.enforce_equal(&public, &output);
    }
    placed
}
