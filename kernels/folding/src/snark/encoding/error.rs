//! Why bytes are not a proof.

/// Why bytes could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes end before the proof does.
    #[error("the bytes end before the proof does")]
    Truncated,
    /// Bytes follow the proof.
    #[error("{bytes} bytes follow the proof")]
    Trailing {
        /// How many.
        bytes: usize,
    },
    /// A length is outside of what this proof may have.
    #[error("a length of {found}, where {least} to {most} are allowed")]
    Length {
        /// The length read.
        found: usize,
        /// The smallest allowed.
        least: usize,
        /// The largest allowed.
        most: usize,
    },
    /// 32 bytes are not a scalar below the modulus.
    #[error("32 bytes are not the canonical encoding of a scalar")]
    Scalar,
    /// 32 bytes are not a compressed point.
    #[error("32 bytes are not the canonical encoding of a point on the curve")]
    Point,
}
