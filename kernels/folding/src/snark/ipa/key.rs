//! The key of an inner-product argument.

/// Points of which nobody knows a linear relation, `base` included.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a, C> {
    /// `G_0, G_1, …`: what vectors are committed with. More than a statement needs are fine.
    pub generators: &'a [C],
    /// `U`: what inner products are committed with. Not one of the generators that commitments use.
    pub base: C,
}
