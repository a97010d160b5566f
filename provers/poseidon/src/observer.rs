//! What a proof reports to its caller, and how the caller cancels it.

use crate::error::Error;

/// Watches one proof, between its stages: a stage takes some ten milliseconds.
pub trait Observer {
    /// The proof is this far: 0 to 1, never falling.
    fn progress(&self, fraction: f64);

    /// Whether the proof is no longer wanted.
    fn cancelled(&self) -> bool;
}

/// Nobody watches.
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    fn progress(&self, _: f64) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// Marks the end of a stage, or stops the proof there.
pub(crate) fn reach(observer: &dyn Observer, fraction: f64) -> Result<(), Error> {
    if observer.cancelled() {
        return Err(Error::Cancelled);
    }
    observer.progress(fraction);
    Ok(())
}
