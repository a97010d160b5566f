//! What limbs cannot hold.

/// Limbs that the two fields do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Elements of the other field do not fit.
    #[error(
        "{limbs_count} limbs of {limb_width} bits hold fewer than the {needed} bits of the other field's elements"
    )]
    TooFewBits {
        /// Bits of a limb.
        limb_width: usize,
        /// Limbs of an element.
        limbs_count: usize,
        /// Bits of an element.
        needed: usize,
    },
    /// Carries between columns of products would be longer than limbs.
    #[error("limbs of {limb_width} bits are too narrow: they need {least}")]
    TooNarrow {
        /// Bits of a limb.
        limb_width: usize,
        /// The least bits of a limb.
        least: usize,
    },
    /// A column of products of limbs, with its carry, could wrap around in the native field.
    #[error(
        "limbs of {limb_width} bits are too wide: columns of products and their carries reach {reached} bits, \
         and the native field has room for {room}"
    )]
    TooWide {
        /// Bits of a limb.
        limb_width: usize,
        /// Bits of a column with its carry.
        reached: usize,
        /// Bits of integers that the native field distinguishes.
        room: usize,
    },
}
