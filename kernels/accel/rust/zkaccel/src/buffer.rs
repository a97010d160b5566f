//! Arrays of elements that the backend keeps, and how they come in and out.

use std::marker::PhantomData;

use zkaccel_sys as sys;

use crate::{
    context::Context,
    element::{Element, zero},
    error::Result,
    handle::Handle,
    queue::Queue,
};

/// An array of elements in the memory of a context's backend.
#[derive(Debug)]
pub struct Buffer<E> {
    handle: Handle<sys::zka_buf>,
    len: usize,
    elements: PhantomData<E>,
}

impl<E: Element> Buffer<E> {
    /// `n` zeros.
    ///
    /// # Errors
    ///
    /// Memory, and `Size` where `n` elements are more than any memory holds.
    pub fn new(context: &Context, n: usize) -> Result<Self> {
        // SAFETY: both pointers are the library's own and a place for the handle.
        let handle = Handle::make(context, sys::zka_buf_free, |ctx, out| unsafe {
            sys::zka_buf_alloc(ctx, E::FIELD.number(), n, out)
        })?;
        Ok(Self { handle, len: n, elements: PhantomData })
    }

    /// A copy of these.
    ///
    /// # Errors
    ///
    /// As [`Buffer::new`] and [`Queue::write`].
    pub fn of(context: &Context, elements: &[E]) -> Result<Self> {
        let mut buffer = Self::new(context, elements.len())?;
        context.at_once().write(&mut buffer, 0, elements)?;
        Ok(buffer)
    }

    /// Its number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A copy of all of it, at once.
    ///
    /// # Errors
    ///
    /// As [`Queue::read`].
    pub fn to_vec(&self) -> Result<Vec<E>> {
        let mut elements = vec![zero(); self.len];
        self.handle.context().at_once().read(self, 0, &mut elements)?;
        Ok(elements)
    }

    pub(crate) fn raw(&self, queue: &Queue<'_>) -> Result<*const sys::zka_buf> {
        self.handle.raw_in(queue, "a buffer is").map(<*mut _>::cast_const)
    }

    pub(crate) fn raw_mut(&mut self, queue: &Queue<'_>) -> Result<*mut sys::zka_buf> {
        self.handle.raw_in(queue, "a buffer is")
    }

    pub(crate) fn context(&self) -> &Context {
        self.handle.context()
    }
}

/// The handles of several buffers.
pub(crate) fn handles<E: Element>(
    queue: &Queue<'_>,
    buffers: &[&Buffer<E>],
) -> Result<Vec<*const sys::zka_buf>> {
    buffers.iter().map(|buffer| buffer.raw(queue)).collect()
}

impl<'env> Queue<'env> {
    /// Copies `from` to `buffer[offset..]`.
    ///
    /// # Errors
    ///
    /// `Size` where it does not fit; `NonCanonical` where an element is not below the modulus.
    pub fn write<E: Element>(&self, buffer: &mut Buffer<E>, offset: usize, from: &'env [E]) -> Result<()> {
        // SAFETY: elements are laid out as the library has them, and these are borrowed until the sync.
        unsafe { self.write_as(sys::ZKA_FORM_MONTGOMERY, buffer, offset, from.as_ptr().cast(), from.len()) }
    }

    /// Copies numbers to `buffer[offset..]`: each the value itself, its least significant limb first.
    ///
    /// # Errors
    ///
    /// As [`Queue::write`].
    pub fn write_canonical<E: Element>(
        &self,
        buffer: &mut Buffer<E>,
        offset: usize,
        from: &'env [[u64; 4]],
    ) -> Result<()> {
        // SAFETY: four limbs are what the library has, and these are borrowed until the sync.
        unsafe { self.write_as(sys::ZKA_FORM_CANONICAL, buffer, offset, from.as_ptr().cast(), from.len()) }
    }

    /// Copies `buffer[offset..]` to `to`, as much as that takes.
    ///
    /// # Errors
    ///
    /// `Size` where there is not as much.
    pub fn read<E: Element>(&self, buffer: &Buffer<E>, offset: usize, to: &'env mut [E]) -> Result<()> {
        // SAFETY: elements are laid out as the library has them, and these are borrowed until the sync.
        unsafe { self.read_as(sys::ZKA_FORM_MONTGOMERY, buffer, offset, to.as_mut_ptr().cast(), to.len()) }
    }

    /// [`Queue::read`] as numbers: each the value itself, its least significant limb first.
    ///
    /// # Errors
    ///
    /// As [`Queue::read`].
    pub fn read_canonical<E: Element>(
        &self,
        buffer: &Buffer<E>,
        offset: usize,
        to: &'env mut [[u64; 4]],
    ) -> Result<()> {
        // SAFETY: four limbs are what the library has, and these are borrowed until the sync.
        unsafe { self.read_as(sys::ZKA_FORM_CANONICAL, buffer, offset, to.as_mut_ptr().cast(), to.len()) }
    }

    /// Copies `n` elements from `from[from_offset..]` to `to[to_offset..]`.
    ///
    /// # Errors
    ///
    /// `Size` where either has not as many.
    pub fn copy<E: Element>(
        &self,
        from: &Buffer<E>,
        from_offset: usize,
        to: &mut Buffer<E>,
        to_offset: usize,
        n: usize,
    ) -> Result<()> {
        let (from, to) = (from.raw(self)?, to.raw_mut(self)?);
        // SAFETY: both handles live.
        self.check(unsafe { sys::zka_buf_copy(to, to_offset, from, from_offset, n, self.stream()) })
    }

    /// [`Queue::copy`] within one buffer. The ranges may overlap.
    ///
    /// # Errors
    ///
    /// As [`Queue::copy`].
    pub fn copy_within<E: Element>(
        &self,
        buffer: &mut Buffer<E>,
        from: usize,
        to: usize,
        n: usize,
    ) -> Result<()> {
        let buffer = buffer.raw_mut(self)?;
        // SAFETY: the handle lives.
        self.check(unsafe { sys::zka_buf_copy(buffer, to, buffer, from, n, self.stream()) })
    }

    /// # Safety
    ///
    /// `from` has `n` elements until the sync.
    unsafe fn write_as<E: Element>(
        &self,
        form: sys::zka_form,
        buffer: &mut Buffer<E>,
        offset: usize,
        from: *const sys::zka_fe,
        n: usize,
    ) -> Result<()> {
        // SAFETY: the handle lives, and of `from` the caller says so.
        self.check(unsafe { sys::zka_buf_write(buffer.raw_mut(self)?, offset, from, n, form, self.stream()) })
    }

    /// # Safety
    ///
    /// `to` takes `n` elements until the sync.
    unsafe fn read_as<E: Element>(
        &self,
        form: sys::zka_form,
        buffer: &Buffer<E>,
        offset: usize,
        to: *mut sys::zka_fe,
        n: usize,
    ) -> Result<()> {
        // SAFETY: the handle lives, and of `to` the caller says so.
        self.check(unsafe { sys::zka_buf_read(buffer.raw(self)?, offset, to, n, form, self.stream()) })
    }
}
