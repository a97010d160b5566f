//! The variables that may change freely: no others do.

use halo2curves::ff::PrimeField;

use super::rows::Rows;

/// Why a variable may change while all others stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Free {
    /// The inverse that a test for zero needs: 0 has none, and any number shows that a number that is not 0 is none.
    InverseOfZero,
    /// The slope of a sum of two identities: there is no line, and neither coordinate is computed from one.
    SlopeOfIdentities,
    /// The inverse of the sum of two heights that is 0: what is enforced is then that the points are opposite, or of
    /// different x.
    InverseOfHeights,
}

impl Free {
    pub(super) const ALL: [Self; 3] = [Self::InverseOfZero, Self::SlopeOfIdentities, Self::InverseOfHeights];

    /// Whether the construction site of a variable, and the values there, leave it free.
    pub(super) fn of<F: PrimeField>(rows: &Rows<'_, F>, variable: usize, z: &[F]) -> Option<Self> {
        let place = rows.only_place(variable)?;
        let inputs = rows.inputs_at(place, z);
        let zero = |value: F| bool::from(value.is_zero());
        match (place.group, place.input) {
            // number, inverse, product
            ("product", 1) if zero(inputs[0]) => Some(Self::InverseOfZero),
            // px, py, P is the identity, qx, qy, Q is the identity, same x, slope, opposite, inverse, ..
            ("complete addition", 7) if inputs[2] == F::ONE && inputs[5] == F::ONE => {
                Some(Self::SlopeOfIdentities)
            }
            ("complete addition", 9) if zero(inputs[1] + inputs[4]) => Some(Self::InverseOfHeights),
            _ => None,
        }
    }
}
