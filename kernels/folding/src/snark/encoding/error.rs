//! Why bytes are not a proof, or not a key.

/// Why bytes could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes are of another version of the format, or of something else.
    #[error("version {found} of the format, or something else: this library reads version {wanted}")]
    Version {
        /// The version read.
        found: u8,
        /// The version that is read.
        wanted: u8,
    },
    /// The bytes end before what they hold does.
    #[error("the bytes end too early")]
    Truncated,
    /// Bytes follow what was read.
    #[error("{bytes} trailing bytes")]
    Trailing {
        /// How many.
        bytes: usize,
    },
    /// A length is outside of what there may be.
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
