//! The gates of a circuit as one list of instructions, folded by powers of y, each part of an expression computed once:
//! the graph that halo2's provers evaluate. [halo2's plonk/evaluation.rs] And a plain interpreter of it.

use halo2_axiom::{
    halo2curves::bn256::Fr as CircuitFr,
    plonk::{ConstraintSystem, Expression},
    poly::Rotation,
};
use halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use rayon::prelude::*;
use zkaccel::{Instruction, Operand, Operation, ProgramSource};

/// The order in which columns are handed over: fixed, selectors, advice, instance.
struct Columns {
    selectors: usize,
    advice: usize,
    instance: usize,
    all: usize,
}

/// The program of all gates: `value = value * y + gate` from the value before, y being the only challenge.
pub(crate) fn of_gates(system: &ConstraintSystem<CircuitFr>) -> ProgramSource<Fr> {
    let selectors = system.num_fixed_columns();
    let advice = selectors + system.num_selectors();
    let instance = advice + system.num_advice_columns();
    let columns = Columns { selectors, advice, instance, all: instance + system.num_instance_columns() };
    let mut compiler =
        Compiler { source: ProgramSource { challenges: 1, ..ProgramSource::default() }, columns };
    compiler.source.columns = number(compiler.columns.all);
    compiler.source.registers = 1;
    let gates: Vec<_> = system.gates().iter().flat_map(|gate| gate.polynomials()).collect();
    let parts: Vec<_> = gates.into_iter().map(|gate| compiler.part(gate)).collect();
    let mut value = Operand::Previous;
    for part in parts {
        let operation = Operation::MulAdd(value, Operand::Challenge(0), part);
        compiler.source.code.push(Instruction { register: 0, operation });
        value = Operand::Register(0);
    }
    compiler.source
}

struct Compiler {
    source: ProgramSource<Fr>,
    columns: Columns,
}

impl Compiler {
    /// Where the value of an expression is.
    fn part(&mut self, expression: &Expression<CircuitFr>) -> Operand {
        let column = |first: usize, index: usize, at: Rotation| Operand::Column {
            index: number(first + index),
            rotation: at.0,
        };
        let operation = match expression {
            Expression::Constant(constant) => return self.constant(*constant),
            Expression::Selector(selector) => {
                return column(self.columns.selectors, selector.index(), Rotation::cur());
            }
            Expression::Fixed(query) => return column(0, query.column_index(), query.rotation()),
            Expression::Advice(query) => {
                return column(self.columns.advice, query.column_index(), query.rotation());
            }
            Expression::Instance(query) => {
                return column(self.columns.instance, query.column_index(), query.rotation());
            }
            Expression::Challenge(_) => unreachable!("the circuit has no challenges"),
            Expression::Negated(a) => Operation::Negate(self.part(a)),
            Expression::Sum(a, b) => match &**b {
                Expression::Negated(b) => Operation::Sub(self.part(a), self.part(b)),
                b => Operation::Add(self.part(a), self.part(b)),
            },
            Expression::Product(a, b) => match (self.part(a), self.part(b)) {
                (a, b) if a == b => Operation::Square(a),
                (a, b) => Operation::Mul(a, b),
            },
            Expression::Scaled(a, factor) => Operation::Mul(self.part(a), self.constant(*factor)),
        };
        self.once(operation)
    }

    /// The register that has this already, or a new one.
    fn once(&mut self, operation: Operation) -> Operand {
        if let Some(known) = self.source.code.iter().find(|known| known.operation == operation) {
            return Operand::Register(known.register);
        }
        let register = self.source.registers;
        self.source.registers += 1;
        self.source.code.push(Instruction { register, operation });
        Operand::Register(register)
    }

    fn constant(&mut self, constant: CircuitFr) -> Operand {
        let constant = Fr::from_repr(constant.to_repr().into()).expect("both are of one field");
        let constants = &mut self.source.constants;
        let known = constants.iter().position(|&known| known == constant).unwrap_or_else(|| {
            constants.push(constant);
            constants.len() - 1
        });
        Operand::Constant(number(known))
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("circuits have few columns and constants")
}

/// How many of the program's instructions multiply.
pub(crate) fn multiplications(source: &ProgramSource<Fr>) -> usize {
    let multiplies = |of: &&Instruction| {
        matches!(of.operation, Operation::Mul(..) | Operation::Square(_) | Operation::MulAdd(..))
    };
    source.code.iter().filter(multiplies).count()
}

/// Interprets the program for all rows, one at a time as halo2's evaluator does, in parallel over parts of them.
pub(crate) fn interpret(source: &ProgramSource<Fr>, columns: &[Vec<Fr>], y: Fr, scale: i64, out: &mut [Fr]) {
    let n = out.len();
    let part = n.div_ceil(rayon::current_num_threads());
    out.par_chunks_mut(part).enumerate().for_each(|(at, out)| {
        let mut registers = vec![Fr::ZERO; source.registers as usize];
        for (row, out) in (at * part..).zip(out) {
            let of = |registers: &[Fr], operand: Operand| match operand {
                Operand::Register(register) => registers[register as usize],
                Operand::Constant(constant) => source.constants[constant as usize],
                Operand::Column { index, rotation } => {
                    columns[index as usize][rotated(row, i64::from(rotation) * scale, n)]
                }
                Operand::Challenge(_) => y,
                Operand::Previous => *out,
            };
            for instruction in &source.code {
                let of = |operand| of(&registers, operand);
                registers[instruction.register as usize] = match instruction.operation {
                    Operation::Move(a) => of(a),
                    Operation::Add(a, b) => of(a) + of(b),
                    Operation::Sub(a, b) => of(a) - of(b),
                    Operation::Mul(a, b) => of(a) * of(b),
                    Operation::Square(a) => of(a).square(),
                    Operation::Double(a) => of(a).double(),
                    Operation::Negate(a) => -of(a),
                    Operation::MulAdd(a, b, c) => of(a) * of(b) + of(c),
                };
            }
            *out = registers[0];
        }
    });
}

/// The row that lies `by` further on, round all `n`.
#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rows are few"
)]
fn rotated(row: usize, by: i64, n: usize) -> usize {
    (row as i64 + by).rem_euclid(n as i64) as usize
}
