//! Each type of halo2curves paired with arkworks' type of the same thing. Both have the same limbs in Montgomery form, which
//! is how they are turned into each other.

use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInt, PrimeField};
use halo2curves::{CurveAffine, bn256, ff::Field, grumpkin};
use zkaccel::Affine;

/// An element with a twin.
pub(crate) trait TwinElement: Field + zkaccel::Element {
    type Twin: PrimeField;
    fn twin(self) -> Self::Twin;
    fn of(twin: Self::Twin) -> Self;
}

/// A point with a twin, and what a test needs to know of its types.
pub(crate) trait TwinPoint:
    Affine<Jacobian = <Self as CurveAffine>::CurveExt, Scalar = <Self as CurveAffine>::ScalarExt> + CurveAffine
{
    /// The sum of `scalars[i] * points[i]` as arkworks has it.
    fn sum(points: &[Self], scalars: &[<Self as Affine>::Scalar]) -> Self;
}

macro_rules! twin_element {
    ($ours:ty, $theirs:ty) => {
        impl TwinElement for $ours {
            type Twin = $theirs;

            fn twin(self) -> $theirs {
                <$theirs>::new_unchecked(BigInt(self.0))
            }

            fn of(twin: $theirs) -> Self {
                Self(twin.0.0)
            }
        }
    };
}

twin_element!(bn256::Fr, ark_bn254::Fr);
twin_element!(bn256::Fq, ark_bn254::Fq);

macro_rules! twin_point {
    ($ours:ty, $theirs:ty) => {
        impl TwinPoint for $ours {
            fn sum(points: &[Self], scalars: &[<Self as Affine>::Scalar]) -> Self {
                let twin = |point: &Self| match (point.x, point.y) {
                    (x, y) if x == Field::ZERO && y == Field::ZERO => <$theirs>::identity(),
                    (x, y) => <$theirs>::new_unchecked(x.twin(), y.twin()),
                };
                let points: Vec<_> = points.iter().map(twin).collect();
                let scalars: Vec<_> = scalars.iter().map(|scalar| scalar.twin()).collect();
                let sum = <$theirs as AffineRepr>::Group::msm(&points, &scalars).unwrap().into_affine();
                match sum.xy() {
                    None => Self { x: Field::ZERO, y: Field::ZERO },
                    Some((x, y)) => Self { x: TwinElement::of(x), y: TwinElement::of(y) },
                }
            }
        }
    };
}

twin_point!(bn256::G1Affine, ark_bn254::G1Affine);
twin_point!(grumpkin::G1Affine, ark_grumpkin::Affine);
