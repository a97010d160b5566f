//! Cells that a circuit holds references to, which several threads read.

#![expect(unsafe_code, reason = "the front end's signature cannot be met otherwise but by a leak")]

use std::{cell::OnceCell, hint::black_box};

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Assigned,
};

/// A value that is written once, and stays where it is and unchanged until it is erased.
#[derive(Default)]
pub(crate) struct Cell(OnceCell<Assigned<Fr>>);

impl Cell {
    pub(crate) fn get(&self) -> Option<&Assigned<Fr>> {
        self.0.get()
    }

    /// Writes a value, unless there is one, and returns the one that is there then.
    pub(crate) fn write(&mut self, value: Assigned<Fr>) -> &Assigned<Fr> {
        self.0.get_or_init(|| value)
    }

    /// Overwrites all of the value's memory, and is empty then.
    pub(crate) fn erase(&mut self) {
        if let Some(value) = self.0.get_mut() {
            // The variant that takes all of the memory.
            *value = Assigned::Rational(Fr::ZERO, Fr::ZERO);
            black_box(value);
            self.0.take();
        }
    }
}

// SAFETY: what changes a cell, `write` and `erase`, takes it exclusively; through shared references it is only read.
unsafe impl Sync for Cell {}

/// A reference to a cell's value that lives as long as the front end requires one to, which is as long as the circuit chooses.
///
/// `Assignment::assign_advice` returns `Value<&'v Assigned<F>>` with `'v` of the caller's choice. What it refers to here is
/// never moved, written or released before [`super::Cells`] are erased, which is not until the circuit has been synthesized. A circuit
/// that retains such a reference for longer, in a static or through a cell it shares, has a dangling one, as it has with
/// halo2-axiom's own prover.
pub(super) fn held<'v>(value: &Assigned<Fr>) -> &'v Assigned<Fr> {
    let value = std::ptr::from_ref(value);
    // SAFETY: all callers pass values of cells, which are in allocations that do not move, and are written once and erased only
    // when `Cells` are erased. That circuits do not retain references beyond their synthesis is the front end's contract,
    // stated above.
    unsafe { &*value }
}

/// Has the processor fetch a cell that will soon be written: of many columns it does not see that each is written row
/// by row, and would wait for memory at each cell.
pub(super) fn fetch(cell: &Cell) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: it has no effect but on caches, for any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let cell = std::ptr::from_ref(cell).cast::<i8>();
        _mm_prefetch::<_MM_HINT_T0>(cell);
        _mm_prefetch::<_MM_HINT_T0>(cell.wrapping_add(64));
    }
}
