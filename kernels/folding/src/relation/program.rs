//! Polynomials as they are evaluated: one straight line of operations for all polynomials of a group, over a chunk of
//! rows at a time, with what occurs twice computed once.

mod row;

use std::collections::HashMap;

use halo2curves::ff::PrimeField;

use super::Expression;

/// Rows that an operation handles at once: enough to hide its dispatch, few enough that registers stay in the cache.
pub const CHUNK: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    Input(u32),
    Constant(u32),
    Add(u32, u32),
    Subtract(u32, u32),
    Multiply(u32, u32),
    Square(u32),
    Negate(u32),
}

/// Operations, each of which writes the register of the same number.
#[derive(Clone, Debug)]
pub struct Program<F> {
    constants: Vec<F>,
    operations: Vec<Operation>,
    outputs: Vec<u32>,
}

/// The registers of one thread: one value a row of the chunk, for each operation.
#[derive(Debug)]
pub struct Registers<F>(Vec<[F; CHUNK]>);

impl<F: PrimeField> Registers<F> {
    /// Registers without anything in them.
    #[must_use]
    pub fn new() -> Self {
        Self(Vec::new())
    }
}

impl<F: PrimeField> Default for Registers<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: PrimeField> Program<F> {
    /// Compiles polynomials over the same inputs.
    #[must_use]
    pub fn new(expressions: &[Expression<F>]) -> Self {
        let mut compiler = Compiler::default();
        let outputs = expressions.iter().map(|expression| compiler.compile(expression)).collect();
        Self { constants: compiler.constants, operations: compiler.operations, outputs }
    }

    /// How many polynomials there are.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Evaluates all polynomials at a chunk of rows, given the inputs' values by number of input.
    pub fn evaluate(&self, inputs: &[[F; CHUNK]], registers: &mut Registers<F>) {
        let registers = &mut registers.0;
        if registers.len() < self.operations.len() {
            registers.resize(self.operations.len(), [F::ZERO; CHUNK]);
        }
        for (index, operation) in self.operations.iter().enumerate() {
            let (before, rest) = registers.split_at_mut(index);
            let target = &mut rest[0];
            match *operation {
                Operation::Input(input) => *target = inputs[input as usize],
                Operation::Constant(constant) => *target = [self.constants[constant as usize]; CHUNK],
                Operation::Add(left, right) => {
                    each(target, &before[left as usize], &before[right as usize], |a, b| a + b);
                }
                Operation::Subtract(left, right) => {
                    each(target, &before[left as usize], &before[right as usize], |a, b| a - b);
                }
                Operation::Multiply(left, right) => {
                    each(target, &before[left as usize], &before[right as usize], |a, b| a * b);
                }
                Operation::Square(of) => {
                    for (target, value) in target.iter_mut().zip(&before[of as usize]) {
                        *target = value.square();
                    }
                }
                Operation::Negate(of) => {
                    for (target, value) in target.iter_mut().zip(&before[of as usize]) {
                        *target = -*value;
                    }
                }
            }
        }
    }

    /// What the last evaluation gave for a polynomial.
    #[must_use]
    pub fn output<'a>(&self, output: usize, registers: &'a Registers<F>) -> &'a [F; CHUNK] {
        &registers.0[self.outputs[output] as usize]
    }
}

fn each<F: Copy>(
    target: &mut [F; CHUNK],
    left: &[F; CHUNK],
    right: &[F; CHUNK],
    operation: impl Fn(F, F) -> F,
) {
    for ((target, left), right) in target.iter_mut().zip(left).zip(right) {
        *target = operation(*left, *right);
    }
}

struct Compiler<F> {
    constants: Vec<F>,
    /// The number of each constant, by its encoding.
    numbers: HashMap<Vec<u8>, usize>,
    operations: Vec<Operation>,
    known: HashMap<Operation, u32>,
}

impl<F> Default for Compiler<F> {
    fn default() -> Self {
        Self { constants: Vec::new(), numbers: HashMap::new(), operations: Vec::new(), known: HashMap::new() }
    }
}

impl<F: PrimeField> Compiler<F> {
    fn compile(&mut self, expression: &Expression<F>) -> u32 {
        match expression {
            Expression::Constant(value) => self.constant(*value),
            Expression::Input(index) => self.emit(Operation::Input(register(*index))),
            Expression::Sum(left, right) => {
                let left = self.compile(left);
                match &**right {
                    Expression::Negated(inner) => {
                        let inner = self.compile(inner);
                        self.emit(Operation::Subtract(left, inner))
                    }
                    right => {
                        let right = self.compile(right);
                        self.emit(Operation::Add(left.min(right), left.max(right)))
                    }
                }
            }
            Expression::Product(left, right) => {
                let (left, right) = (self.compile(left), self.compile(right));
                if left == right {
                    self.emit(Operation::Square(left))
                } else {
                    self.emit(Operation::Multiply(left.min(right), left.max(right)))
                }
            }
            Expression::Scaled(inner, factor) => {
                let (inner, factor) = (self.compile(inner), self.constant(*factor));
                self.emit(Operation::Multiply(inner.min(factor), inner.max(factor)))
            }
            Expression::Negated(inner) => {
                let inner = self.compile(inner);
                self.emit(Operation::Negate(inner))
            }
        }
    }

    fn constant(&mut self, value: F) -> u32 {
        let next = self.constants.len();
        let index = *self.numbers.entry(value.to_repr().as_ref().to_vec()).or_insert(next);
        if index == next {
            self.constants.push(value);
        }
        self.emit(Operation::Constant(register(index)))
    }

    fn emit(&mut self, operation: Operation) -> u32 {
        let next = register(self.operations.len());
        *self.known.entry(operation).or_insert_with(|| {
            self.operations.push(operation);
            next
        })
    }
}

fn register(index: usize) -> u32 {
    u32::try_from(index).expect("a polynomial has fewer than 2^32 terms")
}
