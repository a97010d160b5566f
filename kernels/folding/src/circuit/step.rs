//! A step circuit inside of a circuit: its variables after the others, its inputs tied to variables that are there.

use std::sync::Arc;

use halo2curves::ff::PrimeField;

use super::builder::index;
use super::{Circuit, Linear, Variable, lookup};
use crate::frontend::{Gate, Operand, OperandId, Rows, StepShape};
use crate::relation::{Group, Input, Layout, SparseRows};

/// A step's place among the variables.
#[derive(Clone, Debug)]
pub struct PlacedStep<F> {
    shape: Arc<StepShape<F>>,
    inputs: Vec<Variable>,
    /// The first variable of the step that is not an input, in the first round.
    first: u32,
    /// The first multiplicity, in the first round.
    pub(super) multiplicities: u32,
    /// The first value of the second round.
    pub(super) second: u32,
}

impl<F: PrimeField> Circuit<F> {
    /// Adds a step with the values of its variables, inputs first, and how often each tuple of each table is looked up.
    /// The step's inputs are the variables given; what it computes from them comes out.
    ///
    /// With lookups, the circuit has challenges and a second round: see [`PlacedStep::second_round`].
    ///
    /// # Panics
    /// When values are not as many as the shape has variables, which is a mistake of the caller.
    pub fn step(
        &mut self,
        shape: &Arc<StepShape<F>>,
        inputs: Vec<Variable>,
        values: &[F],
        multiplicities: &[Vec<u64>],
    ) -> (PlacedStep<F>, Vec<Linear<F>>) {
        assert_eq!((inputs.len(), values.len()), (shape.arity, shape.variables), "a step of another shape");
        let first = self.witnesses_in(0, &values[shape.arity..]);
        let counts: Vec<_> = multiplicities.iter().flatten().map(|count| F::from(*count)).collect();
        let multiplicities = self.witnesses_in(0, &counts);
        let second = lookup::reserve(self, shape);
        let placed = PlacedStep { shape: Arc::clone(shape), inputs, first, multiplicities, second };
        let outputs = shape.outputs.iter().map(|output| match output {
            Operand::Variable(number) => self.existing(placed.variable(*number)),
            Operand::Constant(value) => Linear::constant(*value),
        });
        let outputs = outputs.collect();
        self.record_step(&placed);
        (placed, outputs)
    }
}

impl<F: PrimeField> PlacedStep<F> {
    /// What is folded of the step.
    #[must_use]
    pub fn shape(&self) -> &StepShape<F> {
        &self.shape
    }

    /// The variable of the circuit that is a variable of the step.
    fn variable(&self, number: u32) -> Variable {
        let arity = self.inputs.len();
        match self.inputs.get(number as usize) {
            Some(input) => *input,
            None => {
                Variable::Witness(0, self.first + number - u32::try_from(arity).expect("arities are small"))
            }
        }
    }

    /// The values of the step's variables in a vector.
    #[must_use]
    pub fn values(&self, layout: &Layout, vector: &[F]) -> Vec<F> {
        let number = u32::try_from(self.shape.variables).expect("set-up refuses circuits with 2^31 cells");
        (0..number).map(|number| vector[index(layout, self.variable(number)) as usize]).collect()
    }

    /// The step's rows, over vectors of the layout.
    pub(super) fn groups(&self, layout: &Layout) -> Vec<Group<F>> {
        let gates = self.shape.gates.iter().map(|gate| self.gate(layout, gate));
        gates.chain(lookup::groups(self, layout)).collect()
    }

    fn gate(&self, layout: &Layout, gate: &Gate<F>) -> Group<F> {
        Group::new(gate.name.clone(), gate.expressions.clone(), self.inputs_of(layout, &gate.rows))
    }

    /// The inputs of all rows, each in the plainest form that holds it.
    pub(super) fn inputs_of(&self, layout: &Layout, rows: &Rows) -> Vec<Input<F>> {
        (0..rows.inputs)
            .map(|input| self.input(layout, (0..rows.len()).map(|row| rows.row(row)[input])))
            .collect()
    }

    fn input(&self, layout: &Layout, operands: impl Iterator<Item = OperandId> + Clone) -> Input<F> {
        let cell = |number| index(layout, self.variable(number));
        if let Some(cells) = operands.clone().map(|operand| operand.as_variable().map(cell)).collect() {
            return Input::Cell(cells);
        }
        let constants = self.shape.constants.as_slice();
        let constant = |operand: OperandId| operand.as_constant().map(|number| constants[number as usize]);
        if let Some(values) = operands.clone().map(constant).collect() {
            return Input::Fixed(values);
        }
        let mut combinations = SparseRows::new();
        for operand in operands {
            let entry = match self.shape.constants.operand(operand) {
                Operand::Variable(number) => (cell(number), F::ONE),
                Operand::Constant(value) => (index(layout, Variable::One), value),
            };
            combinations.push((!bool::from(entry.1.is_zero())).then_some(entry));
        }
        Input::Linear(combinations)
    }
}

#[cfg(test)]
mod tests;
