//! Multi-scalar multiplication: the sum of `scalars[i] * bases[i]`.

use std::marker::PhantomData;

use zkaccel_sys as sys;

use crate::{
    buffer::Buffer,
    context::{Bytes, Context},
    element::{Affine, identity},
    error::{Error, Result, Status},
    handle::Handle,
    queue::Queue,
};

/// Points that are used again and again, such as a structured reference string.
#[derive(Debug)]
pub struct Bases<C> {
    handle: Handle<sys::zka_bases>,
    len: usize,
    points: PhantomData<C>,
}

/// How [`Bases`] are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasesOptions {
    /// How many multiples of each point are precomputed, at most 252. The precompute factor, by which memory grows, is
    /// one more than that; sums get cheaper.
    pub precompute: u32,
    /// Whether each point is checked: coordinates below the modulus, on the curve.
    pub check: bool,
}

impl Default for BasesOptions {
    /// Nothing precomputed, and checked.
    fn default() -> Self {
        Self { precompute: 0, check: true }
    }
}

impl<C: Affine> Bases<C> {
    /// Copies points.
    ///
    /// # Errors
    ///
    /// `NonCanonical` and `NotOnCurve` with [`bad_index`](Error::bad_index), where they are checked; `Size`; memory.
    pub fn new(context: &Context, points: &[C], options: BasesOptions) -> Result<Self> {
        const NO_INDEX: usize = usize::MAX;
        let mut bad_index = NO_INDEX;
        let (curve, precompute, check) = (C::CURVE.number(), options.precompute, i32::from(options.check));
        let handle = Handle::make(context, sys::zka_bases_free, |ctx, out| {
            let (points, n) = (points.as_ptr().cast(), points.len());
            // SAFETY: points are laid out as the library has them.
            unsafe { sys::zka_bases_create(ctx, curve, points, n, precompute, check, &mut bad_index, out) }
        });
        let at = Some(bad_index).filter(|&index| index != NO_INDEX);
        Ok(Self {
            handle: handle.map_err(|error| error.at_index(at))?,
            len: points.len(),
            points: PhantomData,
        })
    }

    /// The memory that `n` points would take.
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn bytes(context: &Context, n: usize, precompute: u32) -> Result<Bytes> {
        let curve = C::CURVE.number();
        // SAFETY: the pointers are to locals of `bytes`.
        context.bytes(|host, device| unsafe {
            sys::zka_bases_mem(context.raw(), curve, n, precompute, host, device)
        })
    }

    /// Their number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The sum over all of `scalars`, with the first of the bases, at once.
    ///
    /// # Errors
    ///
    /// As [`Queue::msm`].
    pub fn msm(&self, scalars: &Buffer<C::Scalar>) -> Result<C::Jacobian> {
        let mut sum = [identity::<C>()];
        self.handle.context().at_once().msm(self, 0, scalars, 0, scalars.len(), &mut sum)?;
        Ok(sum[0])
    }

    /// The scratch of [`Queue::msm`], exactly.
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn msm_bytes(&self, n: usize, batch: usize) -> Result<Bytes> {
        let bases = self.handle.raw();
        // SAFETY: the handle lives, and the pointers are to locals of `bytes`.
        self.handle.context().bytes(|host, device| unsafe { sys::zka_msm_mem(bases, n, batch, host, device) })
    }
}

impl<'env> Queue<'env> {
    /// `sums[k]` = sum over `i < n` of `scalars[offset + k * n + i] * bases[first + i]`, for each of the sums.
    ///
    /// # Errors
    ///
    /// `Size` where there are not as many bases or scalars.
    pub fn msm<C: Affine>(
        &self,
        bases: &Bases<C>,
        first: usize,
        scalars: &Buffer<C::Scalar>,
        offset: usize,
        n: usize,
        sums: &'env mut [C::Jacobian],
    ) -> Result<()> {
        let (bases, scalars) = (bases.handle.raw_in(self, "bases are")?, scalars.raw(self)?);
        // SAFETY: the handles live; points are laid out as the library has them, and are borrowed until the sync.
        self.check(unsafe {
            let (out, batch) = (sums.as_mut_ptr().cast(), sums.len());
            sys::zka_msm(bases, first, scalars, offset, n, batch, out, self.stream())
        })
    }
}

impl Context {
    /// The sum of `scalars[i] * points[i]` once, from the caller's memory. Points are not checked.
    ///
    /// # Errors
    ///
    /// `Size` where there are not as many of both; `NonCanonical` of a scalar; memory.
    pub fn msm_once<C: Affine>(&self, points: &[C], scalars: &[C::Scalar]) -> Result<C::Jacobian> {
        let n = same_length(points.len(), scalars.len())?;
        let mut sum = identity::<C>();
        let (points, scalars) = (points.as_ptr().cast(), scalars.as_ptr().cast());
        // SAFETY: points and scalars are laid out as the library has them.
        self.check(unsafe {
            sys::zka_msm_once(self.raw(), C::CURVE.number(), points, scalars, n, (&raw mut sum).cast())
        })?;
        Ok(sum)
    }

    /// `affine[i]` = `points[i]` with z = 1, or (0, 0).
    ///
    /// # Errors
    ///
    /// `Size` where there are not as many of both; `NonCanonical` where a coordinate is not below its modulus.
    pub fn to_affine<C: Affine>(&self, points: &[C::Jacobian], affine: &mut [C]) -> Result<()> {
        let n = same_length(points.len(), affine.len())?;
        let (points, affine) = (points.as_ptr().cast(), affine.as_mut_ptr().cast());
        // SAFETY: points are laid out as the library has them.
        self.check(unsafe { sys::zka_to_affine(self.raw(), C::CURVE.number(), points, n, affine) })
    }
}

fn same_length(a: usize, b: usize) -> Result<usize> {
    if a == b {
        Ok(a)
    } else {
        Err(Error::new(Status::Size, format!("there are {a} of the one and {b} of the other")))
    }
}
