//! How a prover trades memory for time.

use crate::key::Shape;

/// The most bytes of columns on cosets that are held between proofs; beyond that they are made for each.
const RESIDENT_BYTES_MAX: usize = 4 << 30;

/// Columns that are committed to in one call have at most so many elements, unless one column has more.
const STAGED_ELEMENTS_MAX: usize = 1 << 22;

/// Each makes the same proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// The key's columns are held on all cosets between proofs.
    pub(crate) cosets: bool,
    /// The key's columns are held by values next to their coefficients.
    pub(crate) values: bool,
    /// Columns that are committed to in one call.
    pub(crate) staged: usize,
    /// Columns that are on a coset at once, if one constraint has so few.
    pub(crate) columns_max: usize,
}

impl Strategy {
    /// For constraints over so many columns: what is faster comes first.
    pub(crate) fn from_fast_to_lean(shape: &Shape, columns: usize) -> impl Iterator<Item = Self> {
        let fast = Self::fast(shape);
        let made = Self { cosets: false, ..fast };
        let single = Self { staged: 1, ..made };
        let halves = std::iter::successors(Some(columns / 2), |half| Some(half / 2))
            .take_while(|&half| half > 1)
            .map(move |columns_max| Self { columns_max, ..single });
        let by_parts = Self { columns_max: 1, ..single };
        let leanest = Self { values: false, ..by_parts };
        let first = fast.cosets.then_some(fast);
        first.into_iter().chain([made, single]).chain(halves).chain([by_parts, leanest])
    }

    pub(crate) fn is_limited(&self, shape: &Shape) -> bool {
        *self != Self::fast(shape)
    }

    /// Where memory has no limits.
    pub(crate) fn fast(shape: &Shape) -> Self {
        let common = shape.system.num_fixed_columns() + shape.permuted() + 3;
        let bytes = common.saturating_mul(shape.pieces).saturating_mul(shape.rows * 32);
        Self {
            cosets: bytes <= RESIDENT_BYTES_MAX,
            values: true,
            staged: (STAGED_ELEMENTS_MAX / shape.rows).max(1),
            columns_max: usize::MAX,
        }
    }
}
