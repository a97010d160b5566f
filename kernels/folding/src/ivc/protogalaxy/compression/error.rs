//! Why bytes are not a verifier's key.

use crate::gadgets;
use crate::snark::{accumulators, encoding};

/// Why a verifier's key is refused.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Bytes that no key has.
    #[error("a verifier's key: {0}")]
    Bytes(#[from] encoding::Error),
    /// A key for step circuits of other arities.
    #[error("the verifier's key is for step circuits of other arities")]
    Arity,
    /// A key whose limbs cannot work.
    #[error("the verifier's key: {0}")]
    Limbs(gadgets::Error),
    /// A key for an oracle of other constants.
    #[error("the verifier's key is for an oracle of other constants")]
    Oracle,
    /// A key of which no proof can be checked.
    #[error("the verifier's key: {0}")]
    Accumulators(#[from] accumulators::Error),
    /// A key that is not what its digest is of.
    #[error("the verifier's key is not what its digest is of")]
    Digest,
}
