//! The running proof as its own code sees it: how far it is, and whether it is still wanted.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use serde::Serialize;

/// How far a proof says it is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Progress {
    pub(crate) fraction: f64,
    pub(crate) message: String,
}

/// One proof, from its start until its code has really ended.
#[derive(Debug, Default)]
pub(crate) struct Job {
    cancelled: AtomicBool,
    progress: Mutex<Option<Progress>>,
}

impl Job {
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn progress(&self) -> Option<Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

tokio::task_local! {
    /// The proof that this task belongs to.
    pub(crate) static OWN: Arc<Job>;
}

/// The proof that runs in this process, for code on threads that the task started (rayon's, for one). With
/// several servers in one process it is the proof that started last.
static RUNNING: Mutex<Option<Arc<Job>>> = Mutex::new(None);

/// From now on other threads' calls mean this proof.
pub(crate) fn set_running(job: &Arc<Job>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(job));
}

fn current() -> Option<Arc<Job>> {
    OWN.try_with(Arc::clone).ok().or_else(|| RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

/// Reports how far the running proof is: a fraction from 0 to 1, and what it is doing. The service reads it once a
/// second and shows it to the task's owner.
///
/// Can be called from any thread while a proof runs, and does nothing otherwise. A fraction outside 0 to 1 is
/// moved to the nearer end; one that is not a number is ignored.
pub fn progress(fraction: f64, message: impl Into<String>) {
    if fraction.is_nan() {
        return;
    }
    if let Some(job) = current() {
        let progress = Progress { fraction: fraction.clamp(0.0, 1.0), message: message.into() };
        *job.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }
}

/// Whether the running proof is no longer wanted, because its caller has gone away. Code that computes for long
/// without awaiting should check now and then, and return any error: nobody will read it.
///
/// Can be called from any thread while a proof runs; it is false otherwise.
#[must_use]
pub fn cancelled() -> bool {
    current().is_some_and(|job| job.cancelled.load(Ordering::Relaxed))
}
