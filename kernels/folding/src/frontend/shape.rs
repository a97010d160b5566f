//! What a step circuit is once its layout is known: variables, rows of gates, lookups.

use super::cell::Query;
use super::operand::{Constants, Operand, OperandId};
use super::tuples::Tuples;
use crate::relation::Expression;

/// A step circuit without columns: what holds of its variables in every step.
///
/// Variables `0..arity` are the step's inputs. A variable is all cells that copy constraints tie together;
/// cells tied to a fixed cell are constants, and so are cells that nobody assigned (0).
#[derive(Clone, Debug)]
pub struct StepShape<F> {
    /// The step's inputs, and its outputs.
    pub arity: usize,
    /// Variables, with the inputs.
    pub variables: usize,
    /// The step's outputs, `arity` of them.
    pub outputs: Vec<Operand<F>>,
    /// Polynomials that are 0 in every row of theirs.
    pub gates: Vec<Gate<F>>,
    /// Tuples that are in a table in every row of theirs.
    pub lookups: Vec<Lookup<F>>,
    /// Tables of the lookups: the distinct tuples of each.
    pub tables: Vec<Tuples<F>>,
    /// The constants that rows refer to.
    pub constants: Constants<F>,
    /// Rows of the circuit's table, a power of two.
    pub table_rows: u32,
}

/// Rows over which the same polynomials are taken.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Inputs of a row.
    pub inputs: usize,
    /// Inputs of all rows, one row after the other.
    pub operands: Vec<OperandId>,
    /// For each row, its number in the circuit's table.
    pub origins: Vec<u32>,
    /// For each input, the cell that it was relative to a row.
    pub queries: Vec<Query>,
}

impl Rows {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// The inputs of a row below [`Rows::len`].
    pub fn row(&self, row: usize) -> &[OperandId] {
        &self.operands[row * self.inputs..(row + 1) * self.inputs]
    }
}

/// Polynomials that are 0 in every row, with the same ones for each row.
///
/// A gate of a circuit becomes one of these for each way in which its selectors are set together.
#[derive(Clone, Debug)]
pub struct Gate<F> {
    /// The name its author gave it.
    pub name: String,
    /// The polynomials, over the inputs of a row.
    pub expressions: Vec<Expression<F>>,
    /// The names of the polynomials.
    pub constraints: Vec<String>,
    /// The largest degree of a polynomial in inputs that are a variable in some row.
    pub degree: usize,
    /// The rows.
    pub rows: Rows,
}

/// Tuples that are in a table in every row.
#[derive(Clone, Debug)]
pub struct Lookup<F> {
    /// The name its author gave it.
    pub name: String,
    /// The tuple's elements, over the inputs of a row.
    pub expressions: Vec<Expression<F>>,
    /// The largest degree of an element in inputs that are a variable in some row.
    pub degree: usize,
    /// Its table, as an index into [`StepShape::tables`]. Lookups into equal tables share one.
    pub table: usize,
    /// The rows.
    pub rows: Rows,
}
