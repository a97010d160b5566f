//! Builds opcode lists from expressions. Equal calculations are made once, as halo2's evaluation graph has it; registers are
//! allocated by the library.

use std::collections::HashMap;

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Expression,
};
use zkaccel::{Context, Instruction, Operation, Program, ProgramSource};

use crate::{
    error::Result,
    program::{
        Compiled, Scalar, Source,
        calculation::{Calculation, Value},
    },
};

/// The graph of a program over columns of `rows` elements.
#[derive(Clone)]
pub(crate) struct Graph {
    rows: i32,
    code: Vec<Instruction>,
    known: HashMap<Calculation, Value>,
    constants: Vec<Fr>,
    columns: Vec<Source>,
    scalars: Vec<Scalar>,
    /// Register 0 is the result.
    registers: u32,
}

impl Graph {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            rows: i32::try_from(rows).unwrap_or(i32::MAX),
            code: Vec::new(),
            known: HashMap::new(),
            constants: Vec::new(),
            columns: Vec::new(),
            scalars: Vec::new(),
            registers: 1,
        }
    }

    /// How many columns it reads so far.
    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn constant(&mut self, constant: Fr) -> Value {
        Value::Constant(place(&mut self.constants, constant))
    }

    pub(crate) fn scalar(&mut self, scalar: Scalar) -> Value {
        Value::Scalar(place(&mut self.scalars, scalar))
    }

    pub(crate) fn column(&mut self, source: Source, rotation: i32) -> Value {
        // As halo2 has it, rows go round; the library wants fewer steps than there are rows.
        let ahead = rotation.rem_euclid(self.rows);
        let rotation = if ahead > self.rows / 2 { ahead - self.rows } else { ahead };
        Value::Column(place(&mut self.columns, source), rotation)
    }

    pub(crate) fn add(&mut self, a: Value, b: Value) -> Value {
        match (self.known_constant(a), self.known_constant(b)) {
            (Some(a), Some(b)) => self.constant(a + b),
            (Some(zero), _) if zero == Fr::ZERO => b,
            (_, Some(zero)) if zero == Fr::ZERO => a,
            _ => self.calculate(Calculation::Add(a.min(b), a.max(b))),
        }
    }

    pub(crate) fn sub(&mut self, a: Value, b: Value) -> Value {
        match (self.known_constant(a), self.known_constant(b)) {
            (Some(a), Some(b)) => self.constant(a - b),
            (Some(zero), _) if zero == Fr::ZERO => self.negate(b),
            (_, Some(zero)) if zero == Fr::ZERO => a,
            _ => self.calculate(Calculation::Sub(a, b)),
        }
    }

    pub(crate) fn negate(&mut self, a: Value) -> Value {
        match self.known_constant(a) {
            Some(a) => self.constant(-a),
            None => self.calculate(Calculation::Negate(a)),
        }
    }

    pub(crate) fn mul(&mut self, a: Value, b: Value) -> Value {
        let two = Fr::from(2);
        match (self.known_constant(a), self.known_constant(b)) {
            (Some(a), Some(b)) => self.constant(a * b),
            (Some(factor), _) if factor == Fr::ZERO => a,
            (_, Some(factor)) if factor == Fr::ZERO => b,
            (Some(factor), _) if factor == Fr::ONE => b,
            (_, Some(factor)) if factor == Fr::ONE => a,
            (Some(factor), _) if factor == two => self.calculate(Calculation::Double(b)),
            (_, Some(factor)) if factor == two => self.calculate(Calculation::Double(a)),
            _ if a == b => self.calculate(Calculation::Square(a)),
            _ => self.calculate(Calculation::Mul(a.min(b), a.max(b))),
        }
    }

    /// a * b + c
    pub(crate) fn mul_add(&mut self, a: Value, b: Value, c: Value) -> Value {
        let has_constant = [a, b, c].into_iter().any(|value| matches!(value, Value::Constant(_)));
        if has_constant {
            let product = self.mul(a, b);
            return self.add(product, c);
        }
        self.calculate(Calculation::MulAdd(a.min(b), a.max(b), c))
    }

    /// The parts by Horner's rule: the first gets the highest power of the factor.
    pub(crate) fn horner(&mut self, parts: impl IntoIterator<Item = Value>, factor: Value) -> Value {
        let zero = self.constant(Fr::ZERO);
        parts.into_iter().fold(zero, |sum, part| self.mul_add(sum, factor, part))
    }

    /// The value of an expression of the constraint system, in which selectors have been replaced by fixed columns.
    pub(crate) fn expression(&mut self, expression: &Expression<Fr>) -> Value {
        match expression {
            Expression::Constant(constant) => self.constant(*constant),
            Expression::Selector(_) => unreachable!("keys have fixed columns for all selectors"),
            Expression::Fixed(query) => self.column(Source::Fixed(query.column_index()), query.rotation().0),
            Expression::Advice(query) => {
                self.column(Source::Advice(query.column_index()), query.rotation().0)
            }
            Expression::Instance(query) => {
                self.column(Source::Instance(query.column_index()), query.rotation().0)
            }
            Expression::Challenge(challenge) => self.scalar(Scalar::Challenge(challenge.index())),
            Expression::Negated(a) => {
                let a = self.expression(a);
                self.negate(a)
            }
            // Subtractions are stored as a + (-b).
            Expression::Sum(a, b) => {
                let a = self.expression(a);
                match &**b {
                    Expression::Negated(b) => {
                        let b = self.expression(b);
                        self.sub(a, b)
                    }
                    b => {
                        let b = self.expression(b);
                        self.add(a, b)
                    }
                }
            }
            Expression::Product(a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                self.mul(a, b)
            }
            Expression::Scaled(a, factor) => {
                let (a, factor) = (self.expression(a), self.constant(*factor));
                self.mul(a, factor)
            }
        }
    }

    /// The program whose value is `result`.
    pub(crate) fn compile(mut self, context: &Context, result: Value) -> Result<Compiled> {
        self.code.push(Instruction { register: 0, operation: Operation::Move(result.operand()) });
        let instructions = self.code.len();
        let source = ProgramSource {
            code: self.code,
            constants: self.constants,
            columns: count(self.columns.len()),
            challenges: count(self.scalars.len()),
            registers: self.registers,
        };
        Ok(Compiled {
            program: Program::new(context, &source)?,
            instructions,
            columns: self.columns,
            scalars: self.scalars,
        })
    }

    fn known_constant(&self, value: Value) -> Option<Fr> {
        match value {
            Value::Constant(at) => self.constants.get(at as usize).copied(),
            _ => None,
        }
    }

    fn calculate(&mut self, calculation: Calculation) -> Value {
        if let Some(&value) = self.known.get(&calculation) {
            return value;
        }
        let register = self.registers;
        self.registers += 1;
        self.code.push(Instruction { register, operation: calculation.operation() });
        let value = Value::Register(register);
        self.known.insert(calculation, value);
        value
    }
}

/// Where `item` is in the list, at the end if it was not there.
fn place<T: PartialEq>(list: &mut Vec<T>, item: T) -> u32 {
    let at = list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    });
    count(at)
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
