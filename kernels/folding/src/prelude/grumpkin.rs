//! The secondary curve by its name. It is never the primary one, so [`new_default_pp`](super::bn256::new_default_pp) stands
//! with bn256.

use halo2curves::grumpkin;

/// A point.
pub type Point = grumpkin::G1;
/// A point by its coordinates.
pub type Affine = grumpkin::G1Affine;
/// The field that a step circuit over this curve computes with: the coordinates of bn256's points.
pub type Scalar = grumpkin::Fr;
/// The field of the coordinates: bn256's scalars.
pub type Base = grumpkin::Fq;
