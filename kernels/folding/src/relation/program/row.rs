//! A program at one row, for whoever has rows one by one.

use halo2curves::ff::PrimeField;

use super::{Operation, Program};

impl<F: PrimeField> Program<F> {
    /// How many registers [`Program::evaluate_row`] writes.
    #[must_use]
    pub fn registers(&self) -> usize {
        self.operations.len()
    }

    /// Evaluates all polynomials at one row. There are [`Program::registers`] registers, of any contents.
    pub fn evaluate_row(&self, inputs: &[F], registers: &mut [F]) {
        for (index, operation) in self.operations.iter().enumerate() {
            let (before, rest) = registers.split_at_mut(index);
            rest[0] = match *operation {
                Operation::Input(input) => inputs[input as usize],
                Operation::Constant(constant) => self.constants[constant as usize],
                Operation::Add(left, right) => before[left as usize] + before[right as usize],
                Operation::Subtract(left, right) => before[left as usize] - before[right as usize],
                Operation::Multiply(left, right) => before[left as usize] * before[right as usize],
                Operation::Square(of) => before[of as usize].square(),
                Operation::Negate(of) => -before[of as usize],
            };
        }
    }

    /// What the last evaluation of a row gave for each polynomial.
    pub fn row_outputs<'a>(&'a self, registers: &'a [F]) -> impl ExactSizeIterator<Item = F> + 'a {
        self.outputs.iter().map(|output| registers[*output as usize])
    }
}
