//! Why a fold is refused.

/// An accumulator, an instance or a proof that is not of its relation's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a fold with {found} {of}; {expected} are needed")]
pub struct Error {
    /// What is counted.
    pub of: &'static str,
    /// How many are needed.
    pub expected: usize,
    /// How many there are.
    pub found: usize,
}
