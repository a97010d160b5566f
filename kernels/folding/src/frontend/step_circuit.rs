//! One step of a computation, as its author writes it.

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{AssignedCell, Layouter};
use midnight_proofs::plonk::ConstraintSystem;

use super::error::SynthesisError;
use super::process;

/// One step of a computation, which takes `ARITY` elements of the field to `ARITY` others.
///
/// A step is repeated: its input is the output of the step before. What else the step depends on is its
/// witness, which is in `self` and may be another at each step. The layout may not: at each step the same calls
/// are made in the same order, for the same cells, and only the values of advice cells differ.
pub trait StepCircuit<const ARITY: usize, F: PrimeField> {
    /// Columns, selectors and what else [`StepCircuit::synthesize_step`] needs to know of the table.
    type Config: Clone;

    /// Declares columns, gates and lookups. This cannot depend on input.
    ///
    /// # Panics
    /// Instance columns are not supported: set-up panics if there is one. So does `midnight-proofs`, where this is
    /// called: for a gate without constraints, and for a lookup that takes a [`Selector`](super::Selector) made by
    /// `selector` and not by `complex_selector`.
    fn configure(cs: &mut ConstraintSystem<F>) -> Self::Config;

    /// Fills the table for the input `z_i`, and returns the cells of the output.
    ///
    /// Cells of `z_i` are copied into the circuit's own columns by copy constraints, for which those columns need
    /// equality enabled. At set-up no values are known. Tables are taken as they are at set-up: the closures that
    /// fill them are not called again.
    fn synthesize_step(
        &self,
        config: Self::Config,
        layouter: &mut impl Layouter<F>,
        z_i: &[AssignedCell<F, F>; ARITY],
    ) -> Result<[AssignedCell<F, F>; ARITY], SynthesisError>;

    /// Computes what [`StepCircuit::synthesize_step`] does, without a proof. `k_table_size` is the table's size as a
    /// power of two.
    ///
    /// By default this lays the circuit out and returns the values of the output's cells.
    fn process_step(&self, z_i: &[F; ARITY], k_table_size: u32) -> Result<[F; ARITY], SynthesisError> {
        process::process_step(self, z_i, k_table_size)
    }
}
