//! What a proof reports to its caller, and how the caller cancels it.

/// Watches one proof, after each step.
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
