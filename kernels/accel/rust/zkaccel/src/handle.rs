//! A handle of the library: owned, freed once, and never after its context.

use std::ptr::null_mut;

use zkaccel_sys as sys;

use crate::{
    context::Context,
    error::{Result, Status},
    queue::Queue,
};

#[derive(Debug)]
pub(crate) struct Handle<T> {
    raw: *mut T,
    free: unsafe extern "C" fn(*mut T),
    context: Context,
}

// SAFETY: the library takes its handles from any thread. What may not happen at the same time, writing a buffer while
// another call uses it, takes `&mut` in this crate.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

impl<T> Handle<T> {
    /// What `make` writes to its out pointer, to be freed by `free`.
    pub(crate) fn make(
        context: &Context,
        free: unsafe extern "C" fn(*mut T),
        make: impl FnOnce(*mut sys::zka_ctx, *mut *mut T) -> sys::zka_status,
    ) -> Result<Self> {
        let mut raw = null_mut();
        context.check(make(context.raw(), &mut raw))?;
        Ok(Self { raw, free, context: context.clone() })
    }

    pub(crate) fn raw(&self) -> *mut T {
        self.raw
    }

    /// For a call on `queue`, whose context must be its own: the library knows handles of other contexts too, but files the
    /// words of its failures under the context of the first that it meets.
    pub(crate) fn raw_in(&self, queue: &Queue<'_>, what: &str) -> Result<*mut T> {
        if self.context.is(queue.context()) {
            return Ok(self.raw);
        }
        Err(queue.refuse(Status::InvalidArgument, format!("{what} of another context")))
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: `raw` came from the call that this function frees for, and is freed here only.
        unsafe { (self.free)(self.raw) };
    }
}
