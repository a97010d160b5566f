//! What is summed over rows, and over columns.

use halo2curves::ff::PrimeField;

use super::shape::GroupShape;
use super::weight::GroupWeight;
use crate::relation::Program;
use crate::snark::sumcheck::Summand;

/// The sum of a group's polynomials at a row, each times the weight of its block.
pub(super) struct Constraints<'a, F> {
    program: &'a Program<F>,
    blocks: &'a [F],
    degree: usize,
}

impl<'a, F: PrimeField> Constraints<'a, F> {
    pub(super) fn new(shape: &GroupShape<'a, F>, weight: &'a GroupWeight<F>) -> Self {
        Self { program: shape.group.program(), blocks: &weight.blocks, degree: shape.degree }
    }

    /// The sum for these inputs; there are as many registers as the program takes.
    pub(super) fn value(&self, inputs: &[F], registers: &mut [F]) -> F {
        self.program.evaluate_row(inputs, registers);
        self.program.row_outputs(registers).zip(self.blocks).map(|(value, weight)| value * weight).sum()
    }
}

impl<F: PrimeField> Summand<F> for Constraints<'_, F> {
    fn degree(&self) -> usize {
        self.degree
    }

    fn scratch(&self) -> usize {
        self.program.registers()
    }

    fn evaluate(&self, inputs: &[F], scratch: &mut [F]) -> F {
        self.value(inputs, scratch)
    }
}

/// The sum of the products of neighbours: an inner product, a pair a part of the vector.
pub(super) struct InnerProduct;

impl<F: PrimeField> Summand<F> for InnerProduct {
    fn degree(&self) -> usize {
        2
    }

    fn evaluate(&self, inputs: &[F], _scratch: &mut [F]) -> F {
        inputs.chunks_exact(2).map(|pair| pair[0] * pair[1]).sum()
    }
}
