//! Assigned values that a circuit holds references to.

use std::{cell::OnceCell, hint::black_box};

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Assigned,
};

/// Values of one allocation.
const CHUNK: usize = 1 << 12;

/// Values that stay where they are, unchanged, until the arena is dropped: it overwrites them then.
#[derive(Default)]
pub(crate) struct Arena {
    chunks: Vec<Vec<OnceCell<Assigned<Fr>>>>,
    /// Of the last chunk.
    used: usize,
}

impl Arena {
    /// A reference to the value that lives as long as the front end requires one to, which is as long as the circuit
    /// chooses.
    ///
    /// `Assignment::assign_advice` returns `Value<&'v Assigned<F>>` with `'v` of the caller's choice. What it refers to here
    /// is never moved, written or released before the arena is, which lives until the circuit has been synthesized. A circuit
    /// that retains such a reference for longer, in a static or through a cell it shares, has a dangling one, as it has with
    /// halo2-axiom's own prover.
    #[expect(unsafe_code, reason = "the front end's signature cannot be met otherwise but by a leak")]
    pub(crate) fn hold<'v>(&mut self, value: Assigned<Fr>) -> Option<&'v Assigned<Fr>> {
        if self.chunks.is_empty() || self.used == CHUNK {
            self.chunks.push((0..CHUNK).map(|_| OnceCell::new()).collect());
            self.used = 0;
        }
        let held = self.chunks.last()?.get(self.used)?.get_or_init(|| value);
        self.used += 1;
        let held = std::ptr::from_ref(held);
        // SAFETY: the chunk's allocation does not move when the list of chunks grows, each of its cells is written once, by
        // the line above, and read through shared references alone until the arena is dropped. That circuits do not retain
        // references beyond their synthesis is the front end's contract, stated above.
        Some(unsafe { &*held })
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for cell in self.chunks.iter_mut().flatten() {
            if let Some(value) = cell.get_mut() {
                // The variant that takes all of the memory.
                *value = Assigned::Rational(Fr::ZERO, Fr::ZERO);
            }
        }
        black_box(&self.chunks);
    }
}
