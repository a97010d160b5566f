//! Why an inner-product argument fails.

/// Why an argument could not be made, or is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The length of `b` is not a power of two up to `2^24`.
    #[error("vectors of {found} elements, which is not a power of two of at most 2^{rounds_most}")]
    Length {
        /// Elements of `b`.
        found: usize,
        /// The logarithm of the most there may be.
        rounds_most: usize,
    },
    /// Nothing is claimed, or there are not as many products or vectors as commitments.
    #[error("{found} products or vectors for {commitments} commitments")]
    Claims {
        /// Commitments in the statement.
        commitments: usize,
        /// How many of the other there are.
        found: usize,
    },
    /// A committed vector is longer than `b`.
    #[error("a vector of {found} elements, where {most} are the most")]
    VectorLength {
        /// Elements of the vector.
        found: usize,
        /// The most it may have.
        most: usize,
    },
    /// The key is too short.
    #[error("a key of {found} points, where {needed} are needed")]
    KeyLength {
        /// Points in the key.
        found: usize,
        /// Points needed.
        needed: usize,
    },
    /// The proof has another number of rounds than halving the vectors takes.
    #[error("a proof of {left} left and {right} right points, where {rounds} rounds are expected")]
    ProofLength {
        /// Left points.
        left: usize,
        /// Right points.
        right: usize,
        /// Rounds that the vectors take.
        rounds: usize,
    },
    /// A point of the statement or of the proof is not on the curve.
    #[error("a point is not on the curve")]
    OffCurve,
    /// A challenge is zero. Another proof is needed, of another transcript; no honest prover will see this.
    #[error("a challenge is zero")]
    Challenge,
    /// The argument does not come out: the inner products are not those of the commitments.
    #[error("the inner product does not hold")]
    Refused,
}
