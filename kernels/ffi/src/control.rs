//! The two words of memory that caller and prover share while a proof runs.

use std::sync::atomic::{AtomicU32, Ordering};

/// Progress out, cancellation in. Either may be missing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Control<'a> {
    progress_millionths: Option<&'a AtomicU32>,
    cancel: Option<&'a AtomicU32>,
}

impl<'a> Control<'a> {
    pub(crate) fn new(progress_millionths: Option<&'a AtomicU32>, cancel: Option<&'a AtomicU32>) -> Self {
        Self { progress_millionths, cancel }
    }
}

impl Control<'_> {
    /// The proof is this far: 0 to 1.
    pub(crate) fn progress(&self, fraction: f64) {
        if let Some(word) = self.progress_millionths {
            // Within 0 ..= 1_000_000 after the clamp, so the cast loses the fraction of a millionth only.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            word.store((fraction.clamp(0.0, 1.0) * 1e6) as u32, Ordering::Relaxed);
        }
    }

    /// Whether the proof is no longer wanted.
    pub(crate) fn cancelled(&self) -> bool {
        self.cancel.is_some_and(|word| word.load(Ordering::Relaxed) != 0)
    }
}
