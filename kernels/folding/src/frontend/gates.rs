//! Gates of a circuit as rows over variables.

use halo2curves::ff::PrimeField;
use midnight_proofs::plonk::ConstraintSystem;

use super::cell::{Lane, Query};
use super::cells::Cells;
use super::error::Error;
use super::operand::{Constants, Operand};
use super::shape::{Gate, Rows};
use super::template::{Template, group_rows};
use crate::relation::Expression;

/// All gates, without the rows in which they hold whatever the variables are.
pub(super) fn gates<F: PrimeField>(
    cs: &ConstraintSystem<F>,
    cells: &Cells<'_, F>,
    constants: &mut Constants<F>,
) -> Result<Vec<Gate<F>>, Error> {
    let mut gates = Vec::new();
    let mut additive = cs.trashcans().iter();
    for gate in cs.gates() {
        let mut source = Source {
            name: gate.name(),
            constraints: Vec::new(),
            template: Template::new(gate.polynomials())?,
        };
        if source.template.expressions.is_empty() {
            // A gate whose selector is additive leaves no polynomials but a separate argument: where the selector
            // is on, its expressions are 0; where it is off, nothing is required.
            let Some(argument) = additive.next() else { continue };
            source.template = Template::new(argument.constraint_expressions())?;
            source.template.select(argument.selector())?;
            source.constraints = vec![argument.name().to_owned(); source.template.expressions.len()];
        } else {
            source.constraints =
                (0..gate.polynomials().len()).map(|number| gate.constraint_name(number).to_owned()).collect();
        }
        source.rows(cells, constants, &mut gates)?;
    }
    Ok(gates)
}

/// What a gate of the circuit says of each row of the table.
struct Source<'a, F> {
    name: &'a str,
    constraints: Vec<String>,
    template: Template<F>,
}

/// How a gate is set in a row: which of its polynomials can be other than 0, and which of its selectors are on.
type Setting = (Vec<bool>, Vec<bool>);

impl<F: PrimeField> Source<'_, F> {
    fn rows(
        &self,
        cells: &Cells<'_, F>,
        constants: &mut Constants<F>,
        gates: &mut Vec<Gate<F>>,
    ) -> Result<(), Error> {
        let groups = group_rows(cells.rows, |row, known| self.setting(row, cells, known))?;
        for ((open, _), rows) in groups {
            let (expressions, degree, rows) = self.template.specialise(&open, rows, cells, constants);
            let names = self.constraints.iter().zip(&open).filter(|(_, open)| **open);
            let constraints = names.map(|(name, _)| name.clone()).collect();
            gates.push(Gate { name: self.name.to_owned(), expressions, constraints, degree, rows });
        }
        Ok(())
    }

    /// How the gate is set in a row, unless it holds there whatever the variables are.
    fn setting(
        &self,
        row: u32,
        cells: &Cells<'_, F>,
        known: &mut Vec<Option<F>>,
    ) -> Option<Result<Setting, Error>> {
        self.template.known_at(row, cells, known);
        let mut open = Vec::new();
        for (number, expression) in self.template.expressions.iter().enumerate() {
            match expression.value_from(&|input| known[input]) {
                Some(value) if value.is_zero_vartime() => {}
                Some(_) => {
                    let (gate, constraint) = (self.name.to_owned(), self.constraints[number].clone());
                    return Some(Err(Error::NeverSatisfied { gate, constraint, row }));
                }
                None => {
                    open.resize(self.template.expressions.len(), false);
                    open[number] = true;
                }
            }
        }
        (!open.is_empty()).then(|| Ok((open, self.template.enabled(known))))
    }
}

/// The inputs of a step that its circuit ties to an earlier input or to a constant, as rows of a gate.
pub(super) fn tied_inputs<F: PrimeField>(
    tied: &[(u32, Operand<F>)],
    column: u32,
    constants: &mut Constants<F>,
) -> Option<Gate<F>> {
    if tied.is_empty() {
        return None;
    }
    let query = Query { lane: Lane::Advice(column), rotation: 0 };
    let operands = tied.iter().flat_map(|(input, to)| [Operand::Variable(*input), *to]);
    let operands = operands.map(|operand| constants.intern(operand)).collect();
    // Inputs are in the rows that have their numbers.
    let rows = Rows {
        inputs: 2,
        operands,
        origins: tied.iter().map(|(input, _)| *input).collect(),
        queries: vec![query; 2],
    };
    Some(Gate {
        name: "copies of the step's inputs".into(),
        expressions: vec![Expression::Input(0) - Expression::Input(1)],
        constraints: vec!["input = what it is tied to".into()],
        degree: 1,
        rows,
    })
}
