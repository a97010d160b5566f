//! Memory of the caller that a device reads without an intermediate copy.

use std::{
    ffi::c_void,
    fmt,
    ops::{Deref, DerefMut},
    ptr::{NonNull, null_mut},
    slice,
};

use zkaccel_sys as sys;

use crate::{
    context::Context,
    element::Element,
    error::{Error, Result, Status},
};

/// A slice of elements in memory that a device reads without an intermediate copy: pinned with CUDA, ordinary on the CPU.
pub struct HostMemory<E> {
    context: Context,
    elements: NonNull<E>,
    len: usize,
}

// SAFETY: it owns its elements, which may be sent.
unsafe impl<E: Send> Send for HostMemory<E> {}
// SAFETY: shared, it gives shared references only.
unsafe impl<E: Sync> Sync for HostMemory<E> {}

impl<E: Element> HostMemory<E> {
    /// `n` zeros.
    ///
    /// # Errors
    ///
    /// Memory, and `Size` where `n` elements are more than any memory holds.
    pub fn new(context: &Context, n: usize) -> Result<Self> {
        let Some(bytes) = n.checked_mul(size_of::<E>()).filter(|&bytes| isize::try_from(bytes).is_ok())
        else {
            return Err(Error::new(Status::Size, format!("{n} elements are more than any memory holds")));
        };
        let mut memory: *mut c_void = null_mut();
        // SAFETY: the context lives, and `memory` is a place for the address.
        context.check(unsafe { sys::zka_host_alloc(context.raw(), bytes, &mut memory) })?;
        let Some(elements) = NonNull::new(memory.cast::<E>()) else {
            return Err(Error::new(Status::Internal, "memory at no address"));
        };
        // SAFETY: there are as many bytes, aligned for any type, and nobody else's. Zeros are elements.
        unsafe { elements.write_bytes(0, n) };
        Ok(Self { context: context.clone(), elements, len: n })
    }
}

impl<E> Deref for HostMemory<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        // SAFETY: `new` made as many elements there.
        unsafe { slice::from_raw_parts(self.elements.as_ptr(), self.len) }
    }
}

impl<E> DerefMut for HostMemory<E> {
    fn deref_mut(&mut self) -> &mut [E] {
        // SAFETY: as above, and `self` is borrowed for as long.
        unsafe { slice::from_raw_parts_mut(self.elements.as_ptr(), self.len) }
    }
}

impl<E> Drop for HostMemory<E> {
    fn drop(&mut self) {
        // SAFETY: it came from this context, which lives, and is freed here only.
        unsafe { sys::zka_host_free(self.context.raw(), self.elements.as_ptr().cast()) };
    }
}

impl<E: fmt::Debug> fmt::Debug for HostMemory<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}
