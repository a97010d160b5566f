//! What computes the sums that a commitment is.

use super::{Curve, msm};

/// A multi-scalar multiplication: the place to put other hardware, or to count.
pub trait Accelerator<C: Curve>: Sync {
    /// `Σ scalars[i] * bases[i]`; the two have the same length. No base is the identity.
    fn msm(&self, scalars: &[C::Scalar], bases: &[C]) -> C::Curve;
}

/// This library's own, on the threads of the current `rayon` pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl<C: Curve> Accelerator<C> for Cpu {
    fn msm(&self, scalars: &[C::Scalar], bases: &[C]) -> C::Curve {
        msm::msm(scalars, bases)
    }
}
