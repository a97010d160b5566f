//! Why bytes are not a proof, or not a computation that was saved.

use crate::snark::encoding;

/// What is wrong with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// They are something else.
    #[error("these bytes are something else")]
    NotThis,
    /// They have a format of another version.
    #[error("their format has version {found}, this library reads version {wanted}")]
    Version {
        /// The version they have.
        found: u32,
        /// The version that is read.
        wanted: u32,
    },
    /// They are of a computation without steps, which proves nothing.
    #[error("they are of no steps")]
    NoSteps,
    /// They are more or fewer than the parameters give them.
    #[error("they are {found} bytes instead of {wanted}")]
    Length {
        /// How many they are.
        found: u64,
        /// How many a proof of so many steps has.
        wanted: u64,
    },
    /// They are not those that were saved.
    #[error("they are damaged: their digest is another")]
    Digest,
    /// An element is not one, or not in canonical form.
    #[error(transparent)]
    Element(#[from] encoding::Error),
}
