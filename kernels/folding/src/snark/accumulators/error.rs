//! Why accumulators are not proved.

use crate::snark::{hyperkzg, ipa, spartan};

/// Why a key or a proof could not be made, or a proof is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A part of an accumulator has another length than the relation gives it.
    #[error("an accumulator with {found} {of}; the relation takes {expected}")]
    Shape {
        /// What is counted.
        of: &'static str,
        /// How many the relation takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A commitment key is shorter than the longest vector, padded to a power of two.
    #[error("a commitment key of {found} points over {curve}, where {needed} are needed")]
    KeyLength {
        /// The curve of the key.
        curve: &'static str,
        /// Points of the key.
        found: usize,
        /// Points needed.
        needed: usize,
    },
    /// The sum of the primary relation's constraints.
    #[error("the primary accumulator's claim: {0}")]
    Primary(spartan::Error),
    /// The opening of the primary accumulator's commitments.
    #[error("the primary accumulator's commitments: {0}")]
    PrimaryOpening(hyperkzg::Error),
    /// The sum of the secondary relation's constraints.
    #[error("the secondary accumulator's claim: {0}")]
    Secondary(spartan::Error),
    /// The opening of the secondary accumulator's commitments.
    #[error("the secondary accumulator's commitments: {0}")]
    SecondaryOpening(ipa::Error),
}
