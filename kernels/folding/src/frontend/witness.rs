//! The values of one step.

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::Value;

use super::cell::CellName;
use super::error::Error;
use super::layouter::StepLayouter;
use super::operand::Operand;
use super::setup::StepSetup;
use super::step_circuit::StepCircuit;
use super::synthesis::synthesize;
use super::writer::Writer;

/// The values of one step.
#[derive(Clone, Debug)]
pub struct StepWitness<const ARITY: usize, F> {
    /// The values of the variables; the first are the step's inputs.
    pub values: Vec<F>,
    /// The step's outputs.
    pub z_out: [F; ARITY],
    /// Cells that were given another value than a cell they are tied to; the first ones only, if there are many.
    ///
    /// A variable has the value of the cell that was assigned first.
    pub conflicts: Vec<Conflict<F>>,
}

/// A cell with another value than a cell or constant it is tied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict<F> {
    /// The cell.
    pub cell: CellName,
    /// The value it was given.
    pub value: F,
    /// The value it should have.
    pub expected: F,
}

impl<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>> StepSetup<ARITY, F, SC> {
    /// Lays out a step with its values.
    ///
    /// The circuit's closures run once. Whether the values satisfy the circuit is not looked at here.
    ///
    /// # Errors
    ///
    /// If the circuit fails, leaves a value unknown, or is laid out in another way than at set-up.
    pub fn witness(&self, circuit: &SC, z_in: &[F; ARITY]) -> Result<StepWitness<ARITY, F>, Error> {
        let mut layouter = StepLayouter::new(Writer::new(&self.tape));
        let outcome =
            synthesize(circuit, self.config.clone(), self.inputs, z_in.map(Value::known), &mut layouter);
        let (values, conflicts) = layouter.assignments.finish(layouter.digest, outcome)?;
        let mut z_out = [F::ZERO; ARITY];
        for (z_out, output) in z_out.iter_mut().zip(&self.shape().outputs) {
            *z_out = match output {
                Operand::Variable(number) => values[*number as usize],
                Operand::Constant(value) => *value,
            };
        }
        Ok(StepWitness { values, z_out, conflicts })
    }
}
