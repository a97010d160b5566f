//! What a step violates, in the words of its circuit's author.

use std::fmt;

use super::cell::CellName;
use super::witness::Conflict;

/// What a step violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation<F> {
    /// There are more or fewer values than variables.
    Values {
        /// Variables of the circuit.
        expected: usize,
        /// Values that were given.
        got: usize,
    },
    /// A polynomial of a gate is not 0.
    Gate {
        /// The gate's name.
        gate: String,
        /// The polynomial's name.
        constraint: String,
        /// The row.
        row: u32,
        /// The cells that the gate reads in this row, and their values.
        cells: Vec<(CellName, F)>,
    },
    /// Cells that are tied together have different values.
    Copy(Conflict<F>),
    /// What is looked up is not in the table.
    Lookup {
        /// The lookup's name.
        lookup: String,
        /// The row.
        row: u32,
        /// What is looked up.
        tuple: Vec<F>,
        /// The cells that the lookup reads in this row, and their values.
        cells: Vec<(CellName, F)>,
    },
}

/// The first violations of a step, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations<F>(pub Vec<Violation<F>>);

impl<F: fmt::Debug> fmt::Display for Violation<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = match self {
            Self::Values { expected, got } => {
                return write!(f, "{got} values for {expected} variables");
            }
            Self::Copy(Conflict { cell, value, expected }) => {
                return write!(f, "{cell} is {value:?}, and {expected:?} where it is copied from or to");
            }
            Self::Gate { gate, constraint, row, cells } => {
                write!(f, "gate '{gate}', constraint '{constraint}' does not hold in row {row}")?;
                cells
            }
            Self::Lookup { lookup, row, tuple, cells } => {
                write!(f, "lookup '{lookup}': {tuple:?} in row {row} is not in its table")?;
                cells
            }
        };
        for (cell, value) in cells {
            write!(f, "\n    {cell} = {value:?}")?;
        }
        Ok(())
    }
}

impl<F: fmt::Debug> fmt::Display for Violations<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, violation) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}

impl<F: fmt::Debug> std::error::Error for Violations<F> {}
