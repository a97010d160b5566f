//! Why a fold is refused.

/// A proof, an accumulator or an instance that is not of its relation's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A part has another length than the relation gives it.
    #[error("{what} has {found} {of}; the relation takes {expected}")]
    Shape {
        /// Whose part it is.
        what: &'static str,
        /// What is counted.
        of: &'static str,
        /// How many the relation takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}
