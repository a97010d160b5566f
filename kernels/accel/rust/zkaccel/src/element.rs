//! Which types of Rust are elements and points of the library, with the same layout in memory.

use zkaccel_sys as sys;

/// A field of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The scalars of bn256, which are the coordinates of grumpkin.
    Fr,
    /// The coordinates of bn256, which are the scalars of grumpkin.
    Fq,
}

impl Field {
    pub(crate) fn number(self) -> sys::zka_field {
        match self {
            Self::Fr => sys::ZKA_FIELD_BN254_FR,
            Self::Fq => sys::ZKA_FIELD_BN254_FQ,
        }
    }
}

/// An element of a field.
///
/// # Safety
///
/// Its layout is four limbs of 64 bits, the least significant first: the number times 2^256, below the modulus
/// of [`Element::FIELD`]. Any such limbs are a value of the type.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The field that it is of.
    const FIELD: Field;
}

/// An element of the field that transforms work in, which has roots of unity: [`Field::Fr`].
///
/// # Safety
///
/// [`Element::FIELD`] is [`Field::Fr`].
pub unsafe trait TransformElement: Element {}

/// A curve of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// G1 of bn256: y² = x³ + 3.
    Bn254,
    /// Grumpkin: y² = x³ - 17.
    Grumpkin,
}

impl Curve {
    pub(crate) fn number(self) -> sys::zka_curve {
        match self {
            Self::Bn254 => sys::ZKA_CURVE_BN254,
            Self::Grumpkin => sys::ZKA_CURVE_GRUMPKIN,
        }
    }
}

/// A point by its coordinates x and y; (0, 0) is the identity.
///
/// # Safety
///
/// Its layout is x and then y, elements as [`Element`] describes them of the curve's base field, and
/// [`Affine::Jacobian`] as x, y and z of them: the point (x/z², y/z³), the identity where z = 0. Any such coordinates are
/// a value of the types. [`Affine::Scalar`] is of the curve's scalar field.
pub unsafe trait Affine: Copy + Send + Sync + 'static {
    /// The curve that it is on.
    const CURVE: Curve;
    /// What it is multiplied by.
    type Scalar: Element;
    /// What sums come as.
    type Jacobian: Copy + Send + Sync + 'static;
}

/// Zero.
pub(crate) fn zero<E: Element>() -> E {
    // SAFETY: limbs of 0 are below the modulus, and so a value of the type.
    unsafe { std::mem::zeroed() }
}

/// The identity.
pub(crate) fn identity<C: Affine>() -> C::Jacobian {
    // SAFETY: coordinates of 0 are elements, and so a value of the type.
    unsafe { std::mem::zeroed() }
}
