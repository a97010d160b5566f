//! What opening polynomials takes. Polynomials are buffers of coefficients, the constant first.

use std::ptr::{null, null_mut};

use zkaccel_sys as sys;

use crate::{
    buffer::{Buffer, handles},
    context::{Bytes, Context},
    element::{Element, zero},
    error::{Result, Status},
    queue::Queue,
};

impl<'env> Queue<'env> {
    /// `out` = sum of `factor^i * polys[i]`, and with `low`, which has one for each, of `factor^i * (polys[i] - low[i])`.
    ///
    /// # Errors
    ///
    /// `Size` where one is longer than `out`, or there are not as many of `low`; `NonCanonical` of an element.
    pub fn fold<E: Element>(
        &self,
        polys: &[&Buffer<E>],
        factor: E,
        low: Option<&[&[E]]>,
        out: &mut Buffer<E>,
    ) -> Result<()> {
        if low.is_some_and(|low| low.len() != polys.len()) {
            return Err(self.refuse(Status::Size, "there is not one of low for each polynomial"));
        }
        let of_low = low.unwrap_or_default();
        let starts: Vec<_> = of_low.iter().map(|low| low.as_ptr().cast()).collect();
        let lengths: Vec<_> = of_low.iter().map(|low| low.len()).collect();
        let low = if low.is_some() { starts.as_ptr() } else { null() };
        let (polys, factor, out) = (handles(self, polys)?, (&raw const factor).cast(), out.raw_mut(self)?);
        // SAFETY: the handles live; elements and lists are read in the call, and there is one of low for each.
        self.check(unsafe {
            sys::zka_poly_fold(polys.as_ptr(), polys.len(), factor, low, lengths.as_ptr(), out, self.stream())
        })
    }

    /// The first `n` coefficients divided by the product of `X - roots[i]`, in place: the quotient, then zeros.
    /// `remainders` gets what each division left, in the order of the roots.
    ///
    /// # Errors
    ///
    /// `Size` where the buffer has not as many coefficients, or there is not a remainder for each root;
    /// `NonCanonical` of a root.
    pub fn divide<E: Element>(
        &self,
        poly: &mut Buffer<E>,
        n: usize,
        roots: &[E],
        remainders: &'env mut [E],
    ) -> Result<()> {
        if remainders.len() != roots.len() {
            return Err(self.refuse(Status::Size, "there is not a remainder for each root"));
        }
        self.divide_raw(poly, n, roots, false, remainders.as_mut_ptr().cast())
    }

    /// [`Queue::divide`] where nothing may be left.
    ///
    /// # Errors
    ///
    /// As [`Queue::divide`], and `Remainder`: the n coefficients may then be anything.
    pub fn divide_exactly<E: Element>(&self, poly: &mut Buffer<E>, n: usize, roots: &[E]) -> Result<()> {
        self.divide_raw(poly, n, roots, true, null_mut())
    }

    /// `remainders` is null or has a place for each root until the sync.
    fn divide_raw<E: Element>(
        &self,
        poly: &mut Buffer<E>,
        n: usize,
        roots: &[E],
        exact: bool,
        remainders: *mut sys::zka_fe,
    ) -> Result<()> {
        let (poly, exact) = (poly.raw_mut(self)?, i32::from(exact));
        // SAFETY: the handle lives, the roots are read in the call, and of the remainders the callers say so.
        self.check(unsafe {
            let (roots, nroots) = (roots.as_ptr().cast(), roots.len());
            sys::zka_poly_div_roots(poly, n, roots, nroots, exact, remainders, self.stream())
        })
    }

    /// `values[i * points.len() + j]` = `polys[i]` at `points[j]`.
    ///
    /// # Errors
    ///
    /// `Size` unless there are as many values; `NonCanonical` of a point.
    pub fn evaluate<E: Element>(
        &self,
        polys: &[&Buffer<E>],
        points: &[E],
        values: &'env mut [E],
    ) -> Result<()> {
        if Some(values.len()) != polys.len().checked_mul(points.len()) {
            return Err(self.refuse(Status::Size, "there is not a value for each polynomial at each point"));
        }
        let polys = handles(self, polys)?;
        // SAFETY: the handles live; points and list are read in the call; the values are as many, borrowed until the
        // sync.
        self.check(unsafe {
            let (points, npoints, out) = (points.as_ptr().cast(), points.len(), values.as_mut_ptr().cast());
            sys::zka_poly_eval(polys.as_ptr(), polys.len(), points, npoints, out, self.stream())
        })
    }
}

impl<E: Element> Buffer<E> {
    /// The polynomial with these coefficients at `point`, at once.
    ///
    /// # Errors
    ///
    /// `NonCanonical` of the point.
    pub fn evaluate(&self, point: E) -> Result<E> {
        let mut value = [zero()];
        self.context().at_once().evaluate(&[self], &[point], &mut value)?;
        Ok(value[0])
    }
}

impl Context {
    /// The scratch of [`Queue::divide`].
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn divide_bytes(&self, n: usize) -> Result<Bytes> {
        // SAFETY: the pointers are to locals of `bytes`.
        self.bytes(|host, device| unsafe { sys::zka_poly_div_roots_mem(self.raw(), n, host, device) })
    }
}
