//! The sums and transforms that take a prover's time, and what computes them.
//!
//! An [`Accelerator`] computes multi-scalar multiplications on a [`Curve`] and number theoretic transforms over its
//! scalars. [`Cpu`] is this library's own. With the feature `accel`, `Zkaccel` is the acceleration library of
//! `kernels/accel`, on the CPU or on a GPU. All of them compute the same, exactly: which one computed it cannot be seen
//! from a commitment or a proof.
//!
//! A key commits with the accelerator that it was given by
//! [`CommitmentKey::accelerate`](crate::commitment::CommitmentKey::accelerate), and with [`Cpu`] otherwise.

use std::fmt::Debug;

use crate::commitment::Curve;

mod cpu;
mod error;
#[expect(
    clippy::cast_possible_truncation,
    reason = "a sum has at most 2^26 terms, a scalar at most 256 bits"
)]
mod msm;
mod transform;
#[cfg(feature = "accel")]
mod zkaccel;

pub use self::cpu::{Cpu, TERMS_MAX};
pub use self::error::Error;
pub(crate) use self::msm::msm;
pub use self::transform::Direction;
#[cfg(feature = "accel")]
pub use self::zkaccel::Zkaccel;

/// What computes sums over a curve's points and transforms of its scalars.
pub trait Accelerator<C: Curve>: Send + Sync {
    /// `Σ scalars[i] * bases[i]`. A base may be the identity, and bases may be equal.
    ///
    /// # Errors
    ///
    /// [`Error::Lengths`] unless there are as many of both; [`Error::Terms`] for more than it can sum;
    /// [`Error::Device`].
    fn msm(&self, scalars: &[C::Scalar], bases: &[C]) -> Result<C::Curve, Error>;

    /// Keeps bases that many sums will be over, in the form and in the memory where that is quickest.
    ///
    /// # Errors
    ///
    /// [`Error::Terms`] for more than it can keep; [`Error::Device`].
    fn keep(&self, bases: &[C]) -> Result<Box<dyn Bases<C>>, Error>;

    /// Transforms `n = 2^k` elements in place: coefficients of a polynomial to its values at `ω^0, ω^1, .., ω^(n - 1)`,
    /// or values to coefficients. `ω` is `ROOT_OF_UNITY` of the field (order `2^S`) to the power `2^(S - k)`.
    ///
    /// # Errors
    ///
    /// [`Error::TransformLen`] for a number of elements that is no power of two, or above `2^S`; [`Error::Device`]. The
    /// elements are as they were.
    fn transform(&self, elements: &mut [C::Scalar], direction: Direction) -> Result<(), Error>;
}

/// Bases that an accelerator keeps.
pub trait Bases<C: Curve>: Debug + Send + Sync {
    /// Their number.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `Σ scalars[i] * bases[offset + i]`.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] if the bases do not reach that far; [`Error::Device`].
    fn msm(&self, offset: usize, scalars: &[C::Scalar]) -> Result<C::Curve, Error>;

    /// [`Self::msm`] of each of these vectors.
    ///
    /// # Errors
    ///
    /// As [`Self::msm`].
    fn msm_each(&self, offset: usize, vectors: &[Vec<C::Scalar>]) -> Result<Vec<C::Curve>, Error> {
        vectors.iter().map(|scalars| self.msm(offset, scalars)).collect()
    }
}
