//! Elements and points as bare limbs, for programs that have arithmetic of their own.

use zkaccel_sys as sys;

use crate::element::{Affine, Curve, Element, Field, TransformElement};

/// A scalar of bn256, a coordinate of grumpkin: four limbs, the least significant first, times 2^256 modulo r.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Fr(pub [u64; 4]);

/// A coordinate of bn256, a scalar of grumpkin: four limbs, the least significant first, times 2^256 modulo q.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Fq(pub [u64; 4]);

/// Defines a curve's points in affine and in Jacobian coordinates.
macro_rules! curve {
    ($curve:expr, $affine:ident, $jacobian:ident, $base:ident, $scalar:ident, $name:literal) => {
        #[doc = concat!("A point of ", $name, "; (0, 0) is the identity.")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(C)]
        pub struct $affine {
            /// The first coordinate.
            pub x: $base,
            /// The second coordinate.
            pub y: $base,
        }

        #[doc = concat!("The point (x/z², y/z³) of ", $name, "; z = 0 is the identity.")]
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct $jacobian {
            /// The first coordinate times z².
            pub x: $base,
            /// The second coordinate times z³.
            pub y: $base,
            /// What the others are divided by.
            pub z: $base,
        }

        const _: () = assert!(size_of::<$affine>() == size_of::<sys::zka_affine>());
        const _: () = assert!(size_of::<$jacobian>() == size_of::<sys::zka_jacobian>());

        // SAFETY: the layouts are C's, of elements in the interface's order.
        unsafe impl Affine for $affine {
            const CURVE: Curve = $curve;
            type Scalar = $scalar;
            type Jacobian = $jacobian;
        }
    };
}

curve!(Curve::Bn254, G1Affine, G1, Fq, Fr, "bn256");
curve!(Curve::Grumpkin, GrumpkinAffine, Grumpkin, Fr, Fq, "grumpkin");

// SAFETY: it is the four limbs. What a caller puts in that is not below the modulus, the library refuses.
unsafe impl Element for Fr {
    const FIELD: Field = Field::Fr;
}
// SAFETY: its field is Fr.
unsafe impl TransformElement for Fr {}
// SAFETY: as for `Fr`.
unsafe impl Element for Fq {
    const FIELD: Field = Field::Fq;
}
