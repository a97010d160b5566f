//! What can be wrong with a step circuit, or with a step of it.

use midnight_proofs::plonk;

use super::cell::{CellName, Lane};

/// Why a step could not be laid out.
#[derive(Debug, thiserror::Error)]
pub enum SynthesisError {
    /// The front end refused what the circuit did, or the circuit itself did.
    #[error("the circuit could not be laid out: {0}")]
    Halo2(#[from] plonk::Error),
    /// The circuit cannot be folded.
    #[error(transparent)]
    Fold(Box<Error>),
}

impl From<Error> for SynthesisError {
    fn from(error: Error) -> Self {
        match error {
            Error::Synthesis(error) => error,
            error => Self::Fold(Box::new(error)),
        }
    }
}

/// Why a step circuit cannot be folded, or one step of it cannot.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The table is below the smallest that is allowed, or above the largest.
    #[error("a table of 2^{k_table_size} rows: it has to be from 2^{smallest} to 2^{largest}")]
    TableSize {
        /// The size requested, as a power of two.
        k_table_size: u32,
        /// The smallest size, as a power of two.
        smallest: u32,
        /// The largest size, as a power of two.
        largest: u32,
    },
    /// The circuit has more rows than the table.
    #[error(
        "the circuit takes {rows} rows, which a table of 2^{k_table_size} does not hold: it needs k = {needed}"
    )]
    TooManyRows {
        /// Rows that the circuit takes.
        rows: u64,
        /// The size of the table, as a power of two.
        k_table_size: u32,
        /// The size that would do, as a power of two.
        needed: u32,
    },
    /// More cells than can be numbered.
    #[error("the circuit assigns 2^31 cells or more")]
    TooManyCells,
    /// An advice column of a later phase.
    #[error("{0} is of a later phase: a step circuit has one phase")]
    LaterPhase(Lane),
    /// The circuit requests challenges.
    #[error("a step circuit cannot use challenges")]
    Challenges,
    /// A fixed cell whose value was not known at set-up.
    #[error("the value of a cell of fixed column {column} in region '{region}' was not known at set-up")]
    FixedUnknown {
        /// The column's index.
        column: u32,
        /// The region's name.
        region: String,
    },
    /// A copy constraint between cells that are different constants.
    #[error("{first} and {second} are different constants, and a copy constraint ties them together")]
    DifferentConstants {
        /// The one cell.
        first: CellName,
        /// The other cell.
        second: CellName,
    },
    /// A gate that no values can satisfy.
    #[error("gate '{gate}', constraint '{constraint}': no values satisfy it in row {row}")]
    NeverSatisfied {
        /// The gate's name.
        gate: String,
        /// The name of its polynomial.
        constraint: String,
        /// The row.
        row: u32,
    },
    /// A lookup of constants that are not in its table.
    #[error("lookup '{lookup}': the constants in row {row} are not in its table")]
    NeverInTable {
        /// The lookup's name.
        lookup: String,
        /// The row.
        row: u32,
    },
    /// A lookup into a table that depends on the witness.
    #[error("lookup '{lookup}': its table has advice cells in row {row}; tables have to be fixed")]
    DynamicTable {
        /// The lookup's name.
        lookup: String,
        /// A row in which the table is not constant.
        row: u32,
    },
    /// An output of the step that no cell was assigned for.
    #[error("output {0} of the step is a cell that was not assigned")]
    OutputNotAssigned(usize),
    /// An output of the step whose value is not known.
    #[error("the value of output {0} of the step is not known")]
    OutputUnknown(usize),
    /// A step that was laid out in another way than at set-up.
    #[error("'{0}' was laid out in another way than at set-up: a layout must not depend on input")]
    LayoutChanged(String),
    /// A cell whose value was not known when the step was made.
    #[error("the value of a cell of advice column {column} at offset {offset} of its region is not known")]
    ValueUnknown {
        /// The column's index.
        column: u32,
        /// Rows below the region's first.
        offset: u32,
    },
    /// The circuit could not be laid out.
    #[error(transparent)]
    Synthesis(#[from] SynthesisError),
}
