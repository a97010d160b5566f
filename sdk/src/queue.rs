//! One proof at a time, on dedicated threads.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use tokio::{
    runtime::{Builder, Runtime},
    sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch},
    task::{AbortHandle, JoinError},
};
use tracing::Instrument;

use crate::{
    handler::ProofHandler,
    job::{self, Job, Progress},
    panics,
    problem::Problem,
};

/// Provers recurse more than servers do.
const PROVER_STACK_BYTES: usize = 8 * 1024 * 1024;

/// The prover's threads, and who may use them.
pub(crate) struct Queue {
    /// Apart from the server's runtime, so that a proof that never awaits cannot block its responses.
    runtime: Option<Runtime>,
    slot: Arc<Semaphore>,
    waiting: AtomicUsize,
    waiting_max: usize,
    running: Mutex<Option<Arc<Job>>>,
    draining: watch::Sender<bool>,
}

impl Queue {
    pub(crate) fn new(waiting_max: usize) -> io::Result<Self> {
        let threads = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("prover")
            .thread_stack_size(PROVER_STACK_BYTES)
            .enable_all()
            .build()?;
        Ok(Self {
            runtime: Some(runtime),
            slot: Arc::new(Semaphore::new(1)),
            waiting: AtomicUsize::new(0),
            waiting_max,
            running: Mutex::new(None),
            draining: watch::Sender::new(false),
        })
    }

    /// Whether a proof runs. After a cancel it still does until its code has ended.
    pub(crate) fn is_busy(&self) -> bool {
        self.slot.available_permits() == 0
    }

    pub(crate) fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// What the running proof has reported last.
    pub(crate) fn progress(&self) -> Option<Progress> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|job| job.progress())
    }

    /// Starts no more proofs, sends those away that wait, and returns when the running one has ended.
    pub(crate) async fn drain(&self) {
        self.draining.send_replace(true);
        // Never closed, so this cannot fail; either way nothing runs.
        let _ = self.slot.acquire().await;
    }

    /// Reads the input, waits for its turn, and proves. Dropping this cancels the proof.
    pub(crate) async fn prove<H: ProofHandler>(
        self: &Arc<Self>,
        input: Bytes,
        span: tracing::Span,
    ) -> Result<Vec<u8>, Problem> {
        if self.is_draining() {
            return Err(Problem::draining());
        }
        let runtime = self.runtime.as_ref().ok_or_else(Problem::draining)?;
        // Reading megabytes of JSON takes long enough to keep health checks waiting.
        let reading = runtime.spawn_blocking(move || serde_json::from_slice::<H::Input>(&input));
        let input = reading.await.map_err(panic_problem)?.map_err(|error| Problem::invalid_input(&error))?;
        let permit = self.turn().await?;
        let job = Arc::new(Job::default());
        // Before the proof can say anything, so that nothing it says is missed.
        self.set_running(&job);
        let proof = runtime.spawn(job::OWN.scope(Arc::clone(&job), output_of::<H>(input)).instrument(span));
        let cancel_on_drop = CancelOnDrop { job: Arc::clone(&job), proof: proof.abort_handle() };
        let (ended, end) = oneshot::channel();
        let queue = Arc::clone(self);
        // Nobody can cancel this task: the slot is free only when the proof's code has really ended.
        tokio::spawn(async move {
            let output = proof.await;
            queue.clear_running(permit);
            let _ = ended.send(output);
        });
        let output = end.await;
        drop(cancel_on_drop);
        match output {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => Err(panic_problem(error)),
            Err(_) => Err(Problem::draining()),
        }
    }

    async fn turn(self: &Arc<Self>) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(permit) = Arc::clone(&self.slot).try_acquire_owned() {
            return Ok(permit);
        }
        let _place = Place::take(self)?;
        let mut draining = self.draining.subscribe();
        tokio::select! {
            biased;
            _ = draining.wait_for(|&draining| draining) => Err(Problem::draining()),
            permit = Arc::clone(&self.slot).acquire_owned() => permit.map_err(|_| Problem::draining()),
        }
    }

    fn set_running(&self, job: &Arc<Job>) {
        job::set_running(job);
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(job));
    }

    fn clear_running(&self, permit: OwnedSemaphorePermit) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
        drop(permit);
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // Waiting for the threads is not allowed inside the server's runtime, and a proof may never end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// One of the places in the queue, released when dropped.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(queue: &'a Queue) -> Result<Self, Problem> {
        let place = Self(&queue.waiting);
        let before = queue.waiting.fetch_add(1, Ordering::Relaxed);
        if before < queue.waiting_max { Ok(place) } else { Err(Problem::busy()) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Cancels the proof when the request goes away; after the proof has ended, it changes nothing.
struct CancelOnDrop {
    job: Arc<Job>,
    proof: AbortHandle,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.job.cancel();
        self.proof.abort();
    }
}

async fn output_of<H: ProofHandler>(input: H::Input) -> Result<Vec<u8>, Problem> {
    let output = H::prove(input).await.map_err(|error| Problem::prover_error(error.to_string()))?;
    serde_json::to_vec(&output).map_err(|error| Problem::output_not_json(&error))
}

fn panic_problem(error: JoinError) -> Problem {
    let Ok(panic) = error.try_into_panic() else { return Problem::draining() };
    Problem::prover_panic(panics::text(panic.as_ref()))
}
