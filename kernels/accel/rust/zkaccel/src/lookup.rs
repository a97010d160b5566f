//! The permuted columns A' and S' of a lookup argument.

use zkaccel_sys as sys;

use crate::{
    buffer::Buffer,
    context::{Bytes, Context},
    element::Element,
    error::Result,
    queue::Queue,
};

/// Which row of a run of equal values in A' has that value in S'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermuteOrder {
    /// The last: (A'\[i\] - A'\[i+1\]) * (S'\[i\] - A'\[i\]) = 0.
    LastMeets,
    /// The first: (A'\[i\] - A'\[i-1\]) * (A'\[i\] - S'\[i\]) = 0 and A'\[0\] = S'\[0\]. Byte for byte what halo2's CPU
    /// prover makes.
    FirstMeets,
}

impl Queue<'_> {
    /// A' and S' from the first `usable` rows of `a` and `s`. Later rows are left as they are: blinding is the caller's.
    ///
    /// # Errors
    ///
    /// `NotInTable` with [`bad_row`](crate::Error::bad_row), the first row of `a` whose value `s` has not; `Size` where
    /// a buffer is shorter.
    pub fn permute<E: Element>(
        &self,
        a: &Buffer<E>,
        s: &Buffer<E>,
        usable: usize,
        order: PermuteOrder,
        a_out: &mut Buffer<E>,
        s_out: &mut Buffer<E>,
    ) -> Result<()> {
        let order = match order {
            PermuteOrder::LastMeets => sys::ZKA_PERMUTE_LAST_MEETS,
            PermuteOrder::FirstMeets => sys::ZKA_PERMUTE_FIRST_MEETS,
        };
        let (a, s, a_out, s_out) = (a.raw(self)?, s.raw(self)?, a_out.raw_mut(self)?, s_out.raw_mut(self)?);
        // SAFETY: the handles live, and the row has its place until the sync.
        self.with_row(|row| unsafe {
            sys::zka_permute_pair(a, s, usable, order, a_out, s_out, row, self.stream())
        })
    }
}

impl Context {
    /// The scratch of [`Queue::permute`].
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn permute_bytes(&self, usable: usize) -> Result<Bytes> {
        // SAFETY: the pointers are to locals of `bytes`.
        self.bytes(|host, device| unsafe { sys::zka_permute_pair_mem(self.raw(), usable, host, device) })
    }
}
