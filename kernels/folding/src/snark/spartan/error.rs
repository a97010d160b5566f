//! Why a weighted sum of constraints is not proved.

use crate::snark::sumcheck;

/// Why a proof could not be made, or is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A relation without constraints.
    #[error("a relation without constraints")]
    Empty,
    /// A relation beyond what a proof holds.
    #[error("a relation with {found} {of}, where {most} are the most")]
    Large {
        /// What is counted.
        of: &'static str,
        /// How many the relation has.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// A part of the statement, of the witness or of the proof has another length than the relation gives it.
    #[error("{found} {of}; the relation takes {expected}")]
    Length {
        /// What is counted.
        of: &'static str,
        /// How many the relation takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The sum-check over the rows of the groups.
    #[error("over rows: {0}")]
    Rows(sumcheck::Error),
    /// The sum-check over the entries of the vector.
    #[error("over columns: {0}")]
    Columns(sumcheck::Error),
}
