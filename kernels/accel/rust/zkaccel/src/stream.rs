//! Orders of calls that are waited for together, and that can be cancelled.

use std::sync::Arc;

use zkaccel_sys as sys;

use crate::{context::Context, error::Result, handle::Handle, queue::Queue};

/// An order of calls. On a GPU they run while the caller does other things; on the CPU each is done when it returns.
///
/// ```
/// # use zkaccel::{Buffer, Config, Context, Stream, VectorOp, limbs::Fr};
/// # let context = Context::new(&Config::default())?;
/// let (mut a, mut b) = (Buffer::<Fr>::new(&context, 2)?, Buffer::<Fr>::new(&context, 2)?);
/// let mut products = [[0; 4]; 2];
/// Stream::new(&context)?.scope(|queue| {
///     queue.write_canonical(&mut a, 0, &[[2, 0, 0, 0], [3, 0, 0, 0]])?;
///     queue.write_canonical(&mut b, 0, &[[5, 0, 0, 0], [7, 0, 0, 0]])?;
///     queue.apply_to(VectorOp::Mul, &mut a, &b)?;
///     queue.read_canonical(&a, 0, &mut products)
/// })?;
/// assert_eq!(products, [[10, 0, 0, 0], [21, 0, 0, 0]]);
/// # Ok::<(), zkaccel::Error>(())
/// ```
///
/// What a call writes cannot be looked at before the scope has ended:
///
/// ```compile_fail,E0503
/// # use zkaccel::{Buffer, Config, Context, Stream, limbs::Fr};
/// # let context = Context::new(&Config::default())?;
/// # let column = Buffer::<Fr>::new(&context, 1)?;
/// let mut number = [[0; 4]];
/// Stream::new(&context)?.scope(|queue| {
///     queue.read_canonical(&column, 0, &mut number)?;
///     Ok(number[0][0] == 0)
/// })?;
/// # Ok::<(), zkaccel::Error>(())
/// ```
///
/// nor end before it:
///
/// ```compile_fail,E0597
/// # use zkaccel::{Buffer, Config, Context, Stream, limbs::Fr};
/// # let context = Context::new(&Config::default())?;
/// # let column = Buffer::<Fr>::new(&context, 1)?;
/// Stream::new(&context)?.scope(|queue| {
///     let mut number = [[0; 4]];
///     queue.read_canonical(&column, 0, &mut number)
/// })?;
/// # Ok::<(), zkaccel::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    handle: Arc<Handle<sys::zka_stream>>,
}

/// Cancels what is on a stream, from any thread.
#[derive(Clone, Debug)]
pub struct Canceller {
    handle: Arc<Handle<sys::zka_stream>>,
}

impl Stream {
    /// Makes a stream.
    ///
    /// # Errors
    ///
    /// Memory.
    pub fn new(context: &Context) -> Result<Self> {
        // SAFETY: both pointers are the library's own and a place for the handle.
        let handle = Handle::make(context, sys::zka_stream_destroy, |ctx, out| unsafe {
            sys::zka_stream_create(ctx, out)
        })?;
        Ok(Self { handle: Arc::new(handle) })
    }

    /// Calls `work` and waits for all that it put on the stream, also where it fails or panics.
    ///
    /// # Errors
    ///
    /// What `work` returns, else the first failure of a call on the stream.
    pub fn scope<'env, R>(&mut self, work: impl FnOnce(&Queue<'env>) -> Result<R>) -> Result<R> {
        // A cancel that came after the last scope was none of this one's.
        Synced(self.handle.raw()).sync();
        let queue = Queue::new(self.handle.context().clone(), self.handle.raw());
        // Dropped before the queue, whose rows are written until then.
        let ends = Synced(self.handle.raw());
        let result = work(&queue);
        let synced = queue.synced(ends.sync());
        let result = result?;
        synced.map(|()| result)
    }

    /// What can cancel the calls on this stream.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller { handle: Arc::clone(&self.handle) }
    }
}

impl Canceller {
    /// What is on the stream ends soon with `Cancelled`, and so does what is put there until its scope ends. Between two
    /// scopes it cancels nothing.
    ///
    /// # Errors
    ///
    /// None that is known.
    pub fn cancel(&self) -> Result<()> {
        // SAFETY: the handle lives.
        self.handle.context().check(unsafe { sys::zka_stream_cancel(self.handle.raw()) })
    }
}

/// Waits for a stream when it is dropped, if nobody has.
struct Synced(*mut sys::zka_stream);

impl Synced {
    fn sync(self) -> sys::zka_status {
        let stream = self.0;
        std::mem::forget(self);
        // SAFETY: the stream outlives its scope.
        unsafe { sys::zka_stream_sync(stream) }
    }
}

impl Drop for Synced {
    fn drop(&mut self) {
        // SAFETY: as above. What failed, the panic that comes through here makes no difference to.
        unsafe { sys::zka_stream_sync(self.0) };
    }
}
