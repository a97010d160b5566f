//! Ends proofs from another thread.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use zkaccel::{Canceller, Context, Queue, Stream};

use crate::error::{Error, Result};

/// Ends the proofs that it was handed to ([`Stages::cancellation`](crate::Stages::cancellation)): they fail with
/// [`Error::Cancelled`]. Clones are the same cancellation, and there is no way back: a later proof takes another.
#[derive(Clone, Default)]
pub struct Cancellation(Arc<Shared>);

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    /// What cancels the streams that calls are on.
    streams: Mutex<Vec<(u64, Canceller)>>,
}

impl Cancellation {
    /// One that nobody has cancelled yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels, from any thread.
    pub fn cancel(&self) {
        // In this order: a call that begins between the two looks at the flag when nothing can be missed any more.
        self.0.cancelled.store(true, Ordering::SeqCst);
        for (_, stream) in self.streams().iter() {
            // It fails only where the context is gone, and nothing runs there.
            let _ = stream.cancel();
        }
    }

    /// Whether somebody has.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    fn streams(&self) -> std::sync::MutexGuard<'_, Vec<(u64, Canceller)>> {
        self.0.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}

/// A stream whose calls a cancellation ends while they are under way.
pub(crate) struct CancellableStream {
    stream: Stream,
    cancellation: Cancellation,
    id: u64,
}

impl CancellableStream {
    pub(crate) fn new(context: &Context, cancellation: &Cancellation) -> Result<Self> {
        let stream = Stream::new(context)?;
        let mut streams = cancellation.streams();
        let id = streams.last().map_or(0, |(last, _)| last + 1);
        streams.push((id, stream.canceller()));
        drop(streams);
        Ok(Self { stream, cancellation: cancellation.clone(), id })
    }

    /// The calls of `work` are done when it returns.
    pub(crate) fn call<'env>(
        &mut self,
        work: impl FnOnce(&Queue<'env>) -> zkaccel::Result<()>,
    ) -> Result<()> {
        let cancellation = &self.cancellation;
        let began = self.stream.scope(|queue| {
            // What came before the scope began cancels nothing on the stream.
            if cancellation.is_cancelled() { Ok(false) } else { work(queue).map(|()| true) }
        })?;
        if began { Ok(()) } else { Err(Error::Cancelled) }
    }
}

impl Drop for CancellableStream {
    fn drop(&mut self) {
        let id = self.id;
        self.cancellation.streams().retain(|&(known, _)| known != id);
    }
}
