//! Number theoretic transforms of 2^k elements, k at most 28.

use std::ptr::null;

use zkaccel_sys as sys;

use crate::{
    buffer::Buffer,
    context::{Bytes, Context},
    element::TransformElement,
    error::Result,
    handle::Handle,
    queue::Queue,
};

/// Twiddles for 2^k elements and for an extended domain of 2^extended_k.
#[derive(Debug)]
pub struct Domain {
    handle: Handle<sys::zka_domain>,
    k: u32,
    extended_k: u32,
}

/// What a transform does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transform {
    /// Which way it goes.
    pub direction: Direction,
    /// The order of input and output.
    pub order: Order,
    /// Evaluations at g * omega^i, with the domain's generator g of a coset, instead of at omega^i.
    pub on_coset: bool,
}

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Coefficients to evaluations.
    Forward,
    /// Back, with the factor 1/n.
    Inverse,
}

/// The order of input and output: natural, or reversed, which is by the reversed bits of their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Both natural.
    Natural,
    /// Natural in, reversed out.
    ToReversed,
    /// Reversed in, natural out.
    FromReversed,
}

impl Transform {
    /// Coefficients to evaluations at omega^i, both in natural order.
    pub const FORWARD: Self = Self { direction: Direction::Forward, order: Order::Natural, on_coset: false };
    /// Evaluations at omega^i to coefficients, both in natural order.
    pub const INVERSE: Self = Self { direction: Direction::Inverse, order: Order::Natural, on_coset: false };

    /// The same on the domain's coset.
    #[must_use]
    pub fn on_coset(self) -> Self {
        Self { on_coset: true, ..self }
    }
}

impl Domain {
    /// With 7^((r-1)/2^28), as `ROOT_OF_UNITY` of halo2curves is, to the power that makes it one of order 2^extended_k,
    /// and 7 for the coset. Arkworks has another root: see [`Domain::with_roots`].
    ///
    /// # Errors
    ///
    /// `Size` unless `k <= extended_k <= 28`; memory.
    pub fn new(context: &Context, k: u32, extended_k: u32) -> Result<Self> {
        Self::make(context, k, extended_k, null(), null())
    }

    /// With a root of unity of order 2^extended_k and the generator of a coset, such as halo2's ζ.
    ///
    /// # Errors
    ///
    /// As [`Domain::new`]; `InvalidArgument` for a root of another order, and for a coset that is 0 or in the domain.
    pub fn with_roots<E: TransformElement>(
        context: &Context,
        k: u32,
        extended_k: u32,
        omega: E,
        coset: E,
    ) -> Result<Self> {
        Self::make(context, k, extended_k, (&raw const omega).cast(), (&raw const coset).cast())
    }

    /// `omega` and `coset` are null or elements.
    fn make(
        context: &Context,
        k: u32,
        extended_k: u32,
        omega: *const sys::zka_fe,
        coset: *const sys::zka_fe,
    ) -> Result<Self> {
        // SAFETY: all pointers are null, locals of the callers above, or places for the handle.
        let handle = Handle::make(context, sys::zka_domain_free, |ctx, out| unsafe {
            sys::zka_domain_create(ctx, k, extended_k, omega, coset, out)
        })?;
        Ok(Self { handle, k, extended_k })
    }

    /// What a domain would take.
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn bytes(context: &Context, k: u32, extended_k: u32) -> Result<Bytes> {
        // SAFETY: the pointers are to locals of `bytes`.
        context
            .bytes(|host, device| unsafe { sys::zka_domain_mem(context.raw(), k, extended_k, host, device) })
    }

    /// The logarithm of its size.
    #[must_use]
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The logarithm of its extended size.
    #[must_use]
    pub fn extended_k(&self) -> u32 {
        self.extended_k
    }

    /// The scratch of [`Queue::ntt`] over columns of `n` elements.
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn ntt_bytes(&self, n: usize) -> Result<Bytes> {
        let domain = self.handle.raw();
        // SAFETY: the handle lives, and the pointers are to locals of `bytes`.
        self.handle.context().bytes(|host, device| unsafe { sys::zka_ntt_mem(domain, n, host, device) })
    }
}

impl Queue<'_> {
    /// Transforms columns in place, all of 2^k or all of 2^extended_k elements.
    ///
    /// # Errors
    ///
    /// `Size` where they are of another length.
    pub fn ntt<E: TransformElement>(
        &self,
        domain: &Domain,
        columns: &mut [&mut Buffer<E>],
        transform: Transform,
    ) -> Result<()> {
        let columns = columns.iter_mut().map(|column| column.raw_mut(self)).collect::<Result<Vec<_>>>()?;
        let direction = match transform.direction {
            Direction::Forward => sys::ZKA_NTT_FORWARD,
            Direction::Inverse => sys::ZKA_NTT_INVERSE,
        };
        let order = match transform.order {
            Order::Natural => sys::ZKA_ORDER_NN,
            Order::ToReversed => sys::ZKA_ORDER_NR,
            Order::FromReversed => sys::ZKA_ORDER_RN,
        };
        let (domain, on_coset) = (domain.handle.raw_in(self, "a domain is")?, i32::from(transform.on_coset));
        // SAFETY: the handles live, and their list is read in the call.
        self.check(unsafe {
            sys::zka_ntt(domain, columns.as_ptr(), columns.len(), direction, order, on_coset, self.stream())
        })
    }

    /// `extended[j]` = the polynomial at g * w^j, for w of order 2^extended_k. [halo2's
    /// `EvaluationDomain::coeff_to_extended`]
    ///
    /// # Errors
    ///
    /// `Size` unless `extended` has 2^extended_k elements and there are no more coefficients than that.
    pub fn coeff_to_extended<E: TransformElement>(
        &self,
        domain: &Domain,
        coefficients: &Buffer<E>,
        extended: &mut Buffer<E>,
    ) -> Result<()> {
        let (domain, coefficients) = (domain.handle.raw_in(self, "a domain is")?, coefficients.raw(self)?);
        // SAFETY: the handles live.
        self.check(unsafe {
            sys::zka_coeff_to_extended(domain, coefficients, extended.raw_mut(self)?, self.stream())
        })
    }

    /// Back to coefficients, in place.
    ///
    /// # Errors
    ///
    /// `Size` unless `extended` has 2^extended_k elements.
    pub fn extended_to_coeff<E: TransformElement>(
        &self,
        domain: &Domain,
        extended: &mut Buffer<E>,
    ) -> Result<()> {
        // SAFETY: the handles live.
        self.check(unsafe {
            sys::zka_extended_to_coeff(
                domain.handle.raw_in(self, "a domain is")?,
                extended.raw_mut(self)?,
                self.stream(),
            )
        })
    }

    /// Evaluations on the coset, each divided by X^n - 1 there, n = 2^k. [halo2's
    /// `EvaluationDomain::divide_by_vanishing_poly`]
    ///
    /// # Errors
    ///
    /// `Size` unless `extended` has 2^extended_k elements.
    pub fn divide_by_vanishing<E: TransformElement>(
        &self,
        domain: &Domain,
        extended: &mut Buffer<E>,
    ) -> Result<()> {
        // SAFETY: the handles live.
        self.check(unsafe {
            sys::zka_divide_by_vanishing(
                domain.handle.raw_in(self, "a domain is")?,
                extended.raw_mut(self)?,
                self.stream(),
            )
        })
    }
}
