//! Element-wise operations, and products along a vector.

use std::ops::{Bound, RangeBounds};

use zkaccel_sys as sys;

use crate::{
    buffer::Buffer,
    context::{Bytes, Context},
    element::Element,
    error::{Result, Status},
    queue::Queue,
};

/// An operation on two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorOp {
    /// a + b
    Add,
    /// a - b
    Sub,
    /// a * b
    Mul,
}

impl VectorOp {
    fn number(self) -> sys::zka_vector_op {
        match self {
            Self::Add => sys::ZKA_OP_ADD,
            Self::Sub => sys::ZKA_OP_SUB,
            Self::Mul => sys::ZKA_OP_MUL,
        }
    }
}

impl Queue<'_> {
    /// `out[i] = a[i] op b[i]`.
    ///
    /// # Errors
    ///
    /// `Size` where `a` or `b` is shorter than `out`.
    pub fn apply<E: Element>(
        &self,
        op: VectorOp,
        a: &Buffer<E>,
        b: &Buffer<E>,
        out: &mut Buffer<E>,
    ) -> Result<()> {
        let n = out.len();
        let (a, b, out) = (a.raw(self)?, b.raw(self)?, out.raw_mut(self)?);
        // SAFETY: the handles live.
        self.check(unsafe { sys::zka_vector_op_apply(op.number(), a, b, out, n, self.stream()) })
    }

    /// `a[i] = a[i] op b[i]`.
    ///
    /// # Errors
    ///
    /// `Size` where `b` is shorter than `a`.
    pub fn apply_to<E: Element>(&self, op: VectorOp, a: &mut Buffer<E>, b: &Buffer<E>) -> Result<()> {
        let n = a.len();
        let (a, b) = (a.raw_mut(self)?, b.raw(self)?);
        // SAFETY: the handles live, and the result may go where an operand is.
        self.check(unsafe { sys::zka_vector_op_apply(op.number(), a, b, a, n, self.stream()) })
    }

    /// `out[i] = factor * a[i]`, and with `b` that plus `b[i]`.
    ///
    /// # Errors
    ///
    /// `Size` where `a` or `b` is shorter than `out`; `NonCanonical` of the factor.
    pub fn scale_add<E: Element>(
        &self,
        factor: E,
        a: &Buffer<E>,
        b: Option<&Buffer<E>>,
        out: &mut Buffer<E>,
    ) -> Result<()> {
        let n = out.len();
        self.scale_add_raw(factor, a.raw(self)?, self.or_null(b)?, out.raw_mut(self)?, n)
    }

    /// `a[i] = factor * a[i]`, and with `b` that plus `b[i]`.
    ///
    /// # Errors
    ///
    /// `Size` where `b` is shorter than `a`; `NonCanonical` of the factor.
    pub fn scale_add_to<E: Element>(
        &self,
        factor: E,
        a: &mut Buffer<E>,
        b: Option<&Buffer<E>>,
    ) -> Result<()> {
        let (n, a) = (a.len(), a.raw_mut(self)?);
        self.scale_add_raw(factor, a, self.or_null(b)?, a, n)
    }

    fn or_null<E: Element>(&self, buffer: Option<&Buffer<E>>) -> Result<*const sys::zka_buf> {
        buffer.map_or(Ok(std::ptr::null()), |buffer| buffer.raw(self))
    }

    fn scale_add_raw<E: Element>(
        &self,
        factor: E,
        a: *const sys::zka_buf,
        b: *const sys::zka_buf,
        out: *mut sys::zka_buf,
        n: usize,
    ) -> Result<()> {
        let factor = (&raw const factor).cast();
        // SAFETY: the handles are those of buffers that the caller has borrowed; the factor is read in the call.
        self.check(unsafe { sys::zka_vector_scale_add(factor, a, b, out, n, self.stream()) })
    }

    /// `out[i] = start * base^i`.
    ///
    /// # Errors
    ///
    /// `NonCanonical` of either.
    pub fn powers<E: Element>(&self, start: E, base: E, out: &mut Buffer<E>) -> Result<()> {
        let n = out.len();
        let (start, base) = ((&raw const start).cast(), (&raw const base).cast());
        // SAFETY: the handle lives; both elements are read in the call.
        self.check(unsafe { sys::zka_vector_powers(start, base, out.raw_mut(self)?, n, self.stream()) })
    }

    /// Each element of the range by its inverse; zero stays zero, as in halo2's `batch_invert`.
    ///
    /// # Errors
    ///
    /// `Size` where the buffer has no such range.
    pub fn invert<E: Element>(&self, buffer: &mut Buffer<E>, range: impl RangeBounds<usize>) -> Result<()> {
        let (offset, n) = resolve(range, buffer.len())
            .ok_or_else(|| self.refuse(Status::Size, "the range ends before it begins"))?;
        // SAFETY: the handle lives.
        self.check(unsafe { sys::zka_batch_inverse(buffer.raw_mut(self)?, offset, n, self.stream()) })
    }

    /// `z[0] = start` and `z[i + 1] = z[i] * num[i] / den[i]` for `i < n`; a zero in `den` counts as 1/0 = 0.
    ///
    /// # Errors
    ///
    /// `Size` where `num` or `den` has fewer than `n` elements, or `z` fewer than `n + 1`.
    pub fn grand_product<E: Element>(
        &self,
        num: &Buffer<E>,
        den: &Buffer<E>,
        start: E,
        n: usize,
        z: &mut Buffer<E>,
    ) -> Result<()> {
        let start = (&raw const start).cast();
        // SAFETY: the handles live; `start` is read in the call.
        self.check(unsafe {
            sys::zka_grand_product(num.raw(self)?, den.raw(self)?, start, n, z.raw_mut(self)?, self.stream())
        })
    }
}

impl Context {
    /// The scratch of [`Queue::invert`] over `n` elements.
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn invert_bytes(&self, n: usize) -> Result<Bytes> {
        // SAFETY: the pointers are to locals of `bytes`.
        self.bytes(|host, device| unsafe { sys::zka_batch_inverse_mem(self.raw(), n, host, device) })
    }

    /// The scratch of [`Queue::grand_product`] over `n` elements.
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn grand_product_bytes(&self, n: usize) -> Result<Bytes> {
        // SAFETY: the pointers are to locals of `bytes`.
        self.bytes(|host, device| unsafe { sys::zka_grand_product_mem(self.raw(), n, host, device) })
    }
}

/// Where a range of a buffer begins and how long it is; `None` where it ends before that. Whether the buffer has it is the library's to say.
fn resolve(range: impl RangeBounds<usize>, len: usize) -> Option<(usize, usize)> {
    let after = |bound: usize| bound.checked_add(1);
    let begin = match range.start_bound() {
        Bound::Included(&begin) => Some(begin),
        Bound::Excluded(&before) => after(before),
        Bound::Unbounded => Some(0),
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => after(last),
        Bound::Excluded(&end) => Some(end),
        Bound::Unbounded => Some(len),
    };
    let begin = begin?;
    Some((begin, end?.checked_sub(begin)?))
}
