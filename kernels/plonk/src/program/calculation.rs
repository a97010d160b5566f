//! Values of rows, and what one instruction calculates of them.

use zkaccel::{Operand, Operation};

/// A value of each row: a register that was written, or what needs none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    Constant(u32),
    Register(u32),
    Column(u32, i32),
    Scalar(u32),
    /// What the row of the output was before.
    Previous,
}

/// How a register is calculated.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Calculation {
    Add(Value, Value),
    Sub(Value, Value),
    Mul(Value, Value),
    Square(Value),
    Double(Value),
    Negate(Value),
    MulAdd(Value, Value, Value),
}

impl Calculation {
    pub(super) fn operation(self) -> Operation {
        match self {
            Self::Add(a, b) => Operation::Add(a.operand(), b.operand()),
            Self::Sub(a, b) => Operation::Sub(a.operand(), b.operand()),
            Self::Mul(a, b) => Operation::Mul(a.operand(), b.operand()),
            Self::Square(a) => Operation::Square(a.operand()),
            Self::Double(a) => Operation::Double(a.operand()),
            Self::Negate(a) => Operation::Negate(a.operand()),
            Self::MulAdd(a, b, c) => Operation::MulAdd(a.operand(), b.operand(), c.operand()),
        }
    }
}

impl Value {
    pub(super) fn operand(self) -> Operand {
        match self {
            Self::Register(register) => Operand::Register(register),
            Self::Constant(index) => Operand::Constant(index),
            Self::Column(index, rotation) => Operand::Column { index, rotation },
            Self::Scalar(index) => Operand::Challenge(index),
            Self::Previous => Operand::Previous,
        }
    }
}
