//! Where an input of a row comes from.

use halo2curves::ff::PrimeField;

use super::tuples::Tuples;

/// What an input of a row is, or a cell: a variable of the step, or an element of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<F> {
    /// The variable of this number.
    Variable(u32),
    /// This element in every step.
    Constant(F),
}

/// An [`Operand`] in four bytes: the number of a variable, or of a constant in a separate table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperandId(u32);

const CONSTANT: u32 = 1 << 31;

impl OperandId {
    /// The variable of this number, which is below 2^31.
    pub fn variable(number: u32) -> Self {
        debug_assert!(number < CONSTANT, "set-up refuses circuits with 2^31 cells");
        Self(number)
    }

    /// The constant of this number, which is below 2^31.
    pub fn constant(number: u32) -> Self {
        debug_assert!(number < CONSTANT, "set-up refuses circuits with 2^31 cells");
        Self(number | CONSTANT)
    }

    /// The variable's number, where it is one.
    pub fn as_variable(self) -> Option<u32> {
        (self.0 & CONSTANT == 0).then_some(self.0)
    }

    /// The constant's number, where it is one.
    pub fn as_constant(self) -> Option<u32> {
        (self.0 & CONSTANT != 0).then_some(self.0 & !CONSTANT)
    }
}

/// The distinct constants of a circuit, numbered in the order in which they were met.
#[derive(Clone, Debug)]
pub struct Constants<F>(Tuples<F>);

impl<F: PrimeField> Default for Constants<F> {
    fn default() -> Self {
        Self(Tuples::new(1))
    }
}

impl<F: PrimeField> Constants<F> {
    /// All of them, by number.
    pub fn as_slice(&self) -> &[F] {
        self.0.elements()
    }

    /// The meaning of an id of a row.
    pub fn operand(&self, id: OperandId) -> Operand<F> {
        match id.as_constant() {
            Some(number) => Operand::Constant(self.as_slice()[number as usize]),
            None => Operand::Variable(id.0),
        }
    }

    /// The value of an operand in a step whose variables have these values.
    #[inline]
    pub fn value(&self, id: OperandId, variables: &[F]) -> F {
        match id.as_constant() {
            Some(number) => self.as_slice()[number as usize],
            None => variables[id.0 as usize],
        }
    }

    /// The id of an operand, whose constant is remembered.
    pub(super) fn intern(&mut self, operand: Operand<F>) -> OperandId {
        match operand {
            Operand::Variable(number) => OperandId::variable(number),
            Operand::Constant(value) => OperandId::constant(self.0.insert(&[value])),
        }
    }
}
