//! The two curves, and the offset that keeps their ladders off exceptional cases.

use halo2curves::CurveAffine;
use halo2curves::ff::{Field as _, WithSmallOrderMulGroup as _};
use halo2curves::{bn256, grumpkin};

/// A curve `y^2 = x^3 + b` of prime order whose base field is that of a circuit.
pub trait NativeCurve: CurveAffine {
    /// The multiple of each point by 0 from which its ladder starts.
    const OFFSET: LadderOffset;

    /// The cube root of 1 of the endomorphism `phi(x, y) = (beta x, y)` that the offset is for: of the two there are, on both
    /// curves the square of the one that the field names.
    #[must_use]
    fn beta() -> Self::Base {
        Self::Base::ZETA.square()
    }
}

/// Integers `-a` and `b` with `-a T + b phi(T)` the identity for every point `T`.
#[derive(Clone, Copy, Debug)]
pub struct LadderOffset {
    /// `a`.
    pub a: u128,
    /// `g`, where `b = 2^128 + 1 + 2 g`. In digits `f_i` of 1 and -1 from bit 127 on, and 2 before them, `b` has
    /// `f_i = 2 g_i - 1`.
    pub g: u128,
}

/// The parameter of the Barreto-Naehrig family: `p = 36 x^4 + 36 x^3 + 24 x^2 + 6 x + 1`, `n = p - 6 x^2`.
const X: u128 = 4_965_661_367_192_848_881;

impl NativeCurve for bn256::G1Affine {
    // n is the norm of -(2x + 1) + (6x^2 + 2x) phi. Three times that and a multiple by phi: -a = -(6x^2 + 10x + 4),
    // b = 18x^2 + 4x - 1, which is odd and has the size that g wants.
    const OFFSET: LadderOffset =
        LadderOffset { a: 6 * X * X + 10 * X + 4, g: 9 * X * X + 2 * X - 1 - (1 << 127) };
}

impl NativeCurve for grumpkin::G1Affine {
    // p is the norm of -2x + (6x^2 + 2x + 1) phi: three times that.
    const OFFSET: LadderOffset = LadderOffset { a: 6 * X, g: 9 * X * X + 3 * X + 1 - (1 << 127) };
}
