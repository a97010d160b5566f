//! Why an accelerator did not compute.

/// A sum or a transform that was not computed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There are not as many scalars as bases.
    #[error("{scalars} scalars cannot be summed over {bases} bases: a sum takes as many of both")]
    Lengths {
        /// How many scalars there are.
        scalars: usize,
        /// How many bases there are.
        bases: usize,
    },

    /// The terms of a sum are more than can be summed.
    #[error("a sum has at most {max} terms, not {terms}")]
    Terms {
        /// How many there are.
        terms: usize,
        /// How many there may be.
        max: usize,
    },

    /// Scalars reach beyond the prepared bases.
    #[error("scalars up to position {end} reach beyond the {len} prepared bases")]
    Range {
        /// One past the last position that has a scalar.
        end: usize,
        /// How many bases are prepared.
        len: usize,
    },

    /// A transform of this length does not exist.
    #[error("{len} elements are not transformed: the field has transforms of 1, 2, 4, .., 2^{k_max}")]
    TransformLen {
        /// How many elements there are.
        len: usize,
        /// The logarithm of the longest transform.
        k_max: u32,
    },

    /// A device, or the library that drives it, failed.
    #[error("the accelerator failed")]
    Device(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Refuses other than as many scalars as bases.
pub(super) fn check_lengths(scalars: usize, bases: usize) -> Result<(), Error> {
    if scalars == bases { Ok(()) } else { Err(Error::Lengths { scalars, bases }) }
}

/// Refuses a range that goes beyond the prepared bases.
pub(super) fn check_range(offset: usize, scalars: usize, len: usize) -> Result<(), Error> {
    let end = offset.saturating_add(scalars);
    if end <= len { Ok(()) } else { Err(Error::Range { end, len }) }
}
