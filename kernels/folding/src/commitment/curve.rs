//! The curves a key can be on.

use halo2curves::ff::Field;
use halo2curves::ff_ext::Legendre;
use halo2curves::{CurveAffine, bn256, grumpkin};

mod sealed {
    pub trait Sealed {}
}

/// A curve `y² = x³ + b` of prime order, without points of order two: `bn256` or `grumpkin`.
///
/// Sealed: sums of points here rely on `a = 0`, on the prime order and on `(0, 0)` not being on the curve.
pub trait Curve: CurveAffine + sealed::Sealed {
    /// The name the specification gives the curve.
    const NAME: &'static str;

    /// The coordinates, read without checking them; `(0, 0)` for the identity.
    fn xy(&self) -> (Self::Base, Self::Base);

    /// The point with these coordinates, which the caller knows to be on the curve; `(0, 0)` is the identity.
    fn from_known_xy(x: Self::Base, y: Self::Base) -> Self;

    /// A square root, if there is one.
    fn sqrt(square: Self::Base) -> Option<Self::Base>;
}

impl sealed::Sealed for bn256::G1Affine {}

impl Curve for bn256::G1Affine {
    const NAME: &'static str = "bn256";

    #[inline]
    fn xy(&self) -> (Self::Base, Self::Base) {
        (self.x, self.y)
    }

    #[inline]
    fn from_known_xy(x: Self::Base, y: Self::Base) -> Self {
        Self { x, y }
    }

    fn sqrt(square: Self::Base) -> Option<Self::Base> {
        // The modulus p is 3 modulo 4: the root, if there is one, is the power (p + 1) / 4.
        let root = square.pow_vartime([
            0x4f08_2305_b61f_3f52,
            0x65e0_5aa4_5a1c_72a3,
            0x6e14_116d_a060_5617,
            0x0c19_139c_b84c_680a,
        ]);
        (root.square() == square).then_some(root)
    }
}

impl sealed::Sealed for grumpkin::G1Affine {}

impl Curve for grumpkin::G1Affine {
    const NAME: &'static str = "grumpkin";

    #[inline]
    fn xy(&self) -> (Self::Base, Self::Base) {
        (self.x, self.y)
    }

    #[inline]
    fn from_known_xy(x: Self::Base, y: Self::Base) -> Self {
        Self { x, y }
    }

    fn sqrt(square: Self::Base) -> Option<Self::Base> {
        // The symbol is far quicker to compute than a root that is not there.
        if square.legendre() == -1 { None } else { square.sqrt().into() }
    }
}
