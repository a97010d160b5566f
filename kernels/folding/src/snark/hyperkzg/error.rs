//! Why an opening fails.

/// Why an opening could not be made, or is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A point of no coordinates, or of more than [`super::VARIABLES_MAX`].
    #[error("a point of {found} coordinates, where 1 to {most} are allowed")]
    Variables {
        /// Coordinates of the point.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// Nothing is opened, or there are not as many evaluations or polynomials as commitments.
    #[error("{found} evaluations or polynomials for {commitments} commitments")]
    Claims {
        /// Commitments in the statement.
        commitments: usize,
        /// How many of the other there are.
        found: usize,
    },
    /// A polynomial has more values than the point has for it.
    #[error("a polynomial of {values} values, where the point takes {most}")]
    PolynomialLength {
        /// Values of the polynomial.
        values: usize,
        /// The most it may have.
        most: usize,
    },
    /// The key is too short.
    #[error("a key of {found} powers, where {needed} are needed")]
    KeyLength {
        /// Powers in the key.
        found: usize,
        /// Powers needed.
        needed: usize,
    },
    /// The proof has another number of folds than the point has coordinates.
    #[error("a proof of {folds} folds and {differences} differences for a point of {variables} coordinates")]
    ProofLength {
        /// Commitments to folds, one fewer than variables.
        folds: usize,
        /// Differences, as many as variables.
        differences: usize,
        /// Coordinates of the point.
        variables: usize,
    },
    /// A point of the statement or of the proof is not on the curve.
    #[error("a point is not on the curve")]
    OffCurve,
    /// A challenge hit one of the few values for which the argument does not work. Another proof is needed, of another
    /// transcript; no honest prover will see this.
    #[error("a challenge is one of the few that cannot be used")]
    Challenge,
    /// The pairings differ: the evaluations are not those of the commitments.
    #[error("the opening does not hold")]
    Refused,
}
