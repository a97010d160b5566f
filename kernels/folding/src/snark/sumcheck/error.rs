//! Why a sum-check fails.

/// Why a sum-check could not be made, or is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// There is nothing to check.
    #[error("a sum-check of no sums")]
    NoSums,
    /// A sum has more variables than [`super::VARIABLES_MAX`].
    #[error("a sum over {found} variables, where {most} are the most")]
    Variables {
        /// How many it has.
        found: usize,
        /// How many it may have.
        most: usize,
    },
    /// A round's polynomial would have degree 0, or one above [`super::DEGREE_MAX`].
    #[error("a sum of degree {found}, where 1 to {most} are allowed")]
    Degree {
        /// The degree of the sum.
        found: usize,
        /// The highest allowed.
        most: usize,
    },
    /// A table is not a power of two of rows of the summand's width, or the weight has other variables.
    #[error("a table of {values} values in rows of {width}, which is not what the sum takes")]
    Table {
        /// Values in the table.
        values: usize,
        /// Values in each row.
        width: usize,
    },
    /// A block that does not start at a multiple of its rows, or ends beyond the sum's.
    #[error("a block of {rows} rows from {first} on, in a sum of {variables} variables")]
    Block {
        /// Its first row.
        first: usize,
        /// Its rows.
        rows: usize,
        /// Variables of the sum.
        variables: usize,
    },
    /// The proof's polynomials are of another degree than the sums.
    #[error("round polynomials of degree {found}, where the sums have {expected}")]
    ProofDegree {
        /// The degree of the proof.
        found: usize,
        /// The degree of the sums.
        expected: usize,
    },
    /// The proof has another number of coefficients than the rounds take.
    #[error("{found} coefficients in the rounds, where {expected} are expected")]
    ProofLength {
        /// Coefficients in the proof.
        found: usize,
        /// Coefficients that the rounds take.
        expected: usize,
    },
    /// There is another number of final values than of sums.
    #[error("{found} final values for {expected} sums")]
    FinalValues {
        /// How many there are.
        found: usize,
        /// How many sums there are.
        expected: usize,
    },
    /// The final values are not what the rounds came down to.
    #[error("the summands at the point are not what the rounds came down to")]
    Refused,
}
