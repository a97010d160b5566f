//! The gates of a circuit as one list of instructions, folded by powers of y, each part of an expression computed once:
//! the graph that halo2's provers evaluate. [halo2's plonk/evaluation.rs]

use halo2_axiom::{
    halo2curves::{bn256::Fr as CircuitFr, ff::PrimeField},
    plonk::{ConstraintSystem, Expression, Gate},
    poly::Rotation,
};
use zkaccel::{Element, Instruction, Operand, Operation, ProgramSource};

/// The order in which columns are handed over: fixed, selectors, advice, instance.
struct Columns {
    selectors: usize,
    advice: usize,
    instance: usize,
    all: usize,
}

/// The program of all gates: `value = value * y + gate` from the value before, y being the only challenge.
///
/// # Panics
///
/// Where gates take challenges, and unless F is the circuit's field by whichever crate.
#[must_use]
pub fn program_of_gates<F: Element + PrimeField>(system: &ConstraintSystem<CircuitFr>) -> ProgramSource<F> {
    let selectors = system.num_fixed_columns();
    let advice = selectors + system.num_selectors();
    let instance = advice + system.num_advice_columns();
    let columns = Columns { selectors, advice, instance, all: instance + system.num_instance_columns() };
    let mut compiler =
        Compiler { source: ProgramSource { challenges: 1, ..ProgramSource::default() }, columns };
    compiler.source.columns = number(compiler.columns.all);
    compiler.source.registers = 1;
    let gates: Vec<_> = system.gates().iter().flat_map(Gate::polynomials).collect();
    let parts: Vec<_> = gates.into_iter().map(|gate| compiler.part(gate)).collect();
    let mut value = Operand::Previous;
    for part in parts {
        let operation = Operation::MulAdd(value, Operand::Challenge(0), part);
        compiler.source.code.push(Instruction { register: 0, operation });
        value = Operand::Register(0);
    }
    compiler.source
}

struct Compiler<F> {
    source: ProgramSource<F>,
    columns: Columns,
}

impl<F: Element + PrimeField> Compiler<F> {
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
        let mut bytes = F::Repr::default();
        bytes.as_mut().copy_from_slice(constant.to_repr().as_ref());
        let constant = F::from_repr(bytes).expect("both are of one field");
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

/// How many of a program's instructions multiply.
#[must_use]
pub fn multiplications<F>(source: &ProgramSource<F>) -> usize {
    let multiplies = |of: &&Instruction| {
        matches!(of.operation, Operation::Mul(..) | Operation::Square(_) | Operation::MulAdd(..))
    };
    source.code.iter().filter(multiplies).count()
}
