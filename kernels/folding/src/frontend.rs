//! Step circuits, as their authors write them, and what is folded of them.
//!
//! Authors declare columns, gates and lookups, and assign cells region by region: the interface is that of
//! `midnight-proofs`, parts of which are exported from here, and no other module names that crate. [`StepSetup`]
//! lays a circuit out once and turns it into a [`StepShape`]: variables and rows, without columns. Each step then
//! only takes values.

mod cell;
mod cells;
mod check;
mod classes;
mod digest;
mod error;
mod expression;
mod gates;
mod layout;
mod layouter;
mod lookups;
mod multiplicities;
mod operand;
mod process;
mod recorder;
mod setup;
mod shape;
mod step_circuit;
mod synthesis;
mod tape;
mod template;
pub mod trivial;
mod tuples;
mod violation;
mod witness;
mod writer;

pub use midnight_proofs::circuit::{AssignedCell, Cell, Chip, Layouter, Region, Table, Value};
pub use midnight_proofs::plonk::{
    Advice, Any, Column, Constraint, ConstraintSystem, Constraints, Error as PlonkError, Expression, Fixed,
    Selector, TableColumn, VirtualCells,
};
pub use midnight_proofs::poly::Rotation;
pub use midnight_proofs::utils::rational::Rational;

pub use cell::{CellName, Lane, Query};
pub use error::{Error, SynthesisError};
pub use multiplicities::Multiplicities;
pub use operand::{Constants, Operand, OperandId};
pub use setup::StepSetup;
pub use shape::{Gate, Lookup, Rows, StepShape};
pub use step_circuit::StepCircuit;
pub use synthesis::{K_TABLE_SIZE_MAX, K_TABLE_SIZE_MIN};
pub use tuples::Tuples;
pub use violation::{Violation, Violations};
pub use witness::{Conflict, StepWitness};

#[cfg(test)]
mod tests;
