//! Quotient programs compared with halo2's own evaluation of its expressions: random gates of a halo2 constraint system, folded
//! by powers of y as its provers do.

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{
        Advice, Challenge, Column, ConstraintSystem, Expression, FirstPhase, Fixed, Instance, VirtualCells,
    },
    poly::Rotation,
};
use rand_core::RngCore;
use zkaccel::{Buffer, Instruction, Operand, Operation, Program, ProgramSource};

use crate::contexts::{for_each_isa, random};

const FIXED: usize = 2;
const ADVICE: usize = 3;
const GATES: usize = 6;
const DEPTH: u32 = 6;
const ROTATIONS: u64 = 7;

/// Columns are handed over in this order: fixed, advice, instance. Challenges: the system's, then y.
struct System {
    gates: Vec<Expression<Fr>>,
}

struct Queried {
    fixed: Vec<Column<Fixed>>,
    advice: Vec<Column<Advice>>,
    instance: Column<Instance>,
    challenge: Challenge,
}

impl System {
    fn any(random: &mut impl RngCore) -> Self {
        let mut system = ConstraintSystem::<Fr>::default();
        let queried = Queried {
            fixed: (0..FIXED).map(|_| system.fixed_column()).collect(),
            advice: (0..ADVICE).map(|_| system.advice_column()).collect(),
            instance: system.instance_column(),
            challenge: system.challenge_usable_after(FirstPhase),
        };
        system.create_gate("any", |cells| {
            (0..GATES).map(|_| any_expression(random, cells, &queried, DEPTH)).collect::<Vec<_>>()
        });
        Self { gates: system.gates().iter().flat_map(|gate| gate.polynomials().to_vec()).collect() }
    }

    /// What halo2 computes: `value = value * y + gate` over all gates, from the value before.
    fn expected(&self, columns: &[Vec<Fr>], [challenge, y]: [Fr; 2], scale: usize, before: &[Fr]) -> Vec<Fr> {
        let n = before.len();
        let at = |column: usize, rotation: Rotation, row: usize| {
            let moved = row as i64 + i64::from(rotation.0) * scale as i64;
            columns[column][moved.rem_euclid(n as i64) as usize]
        };
        let gate = |gate: &Expression<Fr>, row: usize| {
            gate.evaluate(
                &|constant| constant,
                &|_| unreachable!("no gate has a selector"),
                &|query| at(query.column_index(), query.rotation(), row),
                &|query| at(FIXED + query.column_index(), query.rotation(), row),
                &|query| at(FIXED + ADVICE + query.column_index(), query.rotation(), row),
                &|_| challenge,
                &|a| -a,
                &|a, b| a + b,
                &|a, b| a * b,
                &|a, factor| a * factor,
            )
        };
        let row = |(row, &before): (usize, &Fr)| {
            self.gates.iter().fold(before, |value, of| value * y + gate(of, row))
        };
        before.iter().enumerate().map(row).collect()
    }

    /// The same as a program: a register for each part of an expression, and register 0 for what is folded.
    fn program(&self) -> ProgramSource<Fr> {
        let mut source = ProgramSource::default();
        (source.columns, source.challenges, source.registers) = ((FIXED + ADVICE + 1) as u32, 2, 1);
        let mut value = Operand::Previous;
        for gate in &self.gates {
            let part = compile(&mut source, gate);
            let operation = Operation::MulAdd(value, Operand::Challenge(1), part);
            source.code.push(Instruction { register: 0, operation });
            value = Operand::Register(0);
        }
        source
    }
}

fn any_expression(
    random: &mut impl RngCore,
    cells: &mut VirtualCells<'_, Fr>,
    queried: &Queried,
    depth: u32,
) -> Expression<Fr> {
    let kind = random.next_u64() % if depth == 0 { 5 } else { 11 };
    let mut any = |below: u64| (random.next_u64() % below) as usize;
    let rotation = Rotation(any(ROTATIONS) as i32 - 3);
    match kind {
        0 => Expression::Constant(Fr::from(any(4) as u64)),
        1 => cells.query_fixed(queried.fixed[any(FIXED as u64)], rotation),
        2 => cells.query_advice(queried.advice[any(ADVICE as u64)], rotation),
        3 => cells.query_instance(queried.instance, rotation),
        4 => cells.query_challenge(queried.challenge),
        5 => -any_expression(random, cells, queried, depth - 1),
        6 => any_expression(random, cells, queried, depth - 1) * -Fr::from(3),
        7 | 8 => {
            let left = any_expression(random, cells, queried, depth - 1);
            left + any_expression(random, cells, queried, depth - 1)
        }
        _ => {
            let left = any_expression(random, cells, queried, depth - 1);
            left * any_expression(random, cells, queried, depth - 1)
        }
    }
}

fn compile(source: &mut ProgramSource<Fr>, expression: &Expression<Fr>) -> Operand {
    let column =
        |index: usize, rotation: Rotation| Operand::Column { index: index as u32, rotation: rotation.0 };
    let operation = match expression {
        Expression::Constant(constant) => return push_constant(source, *constant),
        Expression::Selector(_) => unreachable!("no gate has a selector"),
        Expression::Fixed(query) => return column(query.column_index(), query.rotation()),
        Expression::Advice(query) => return column(FIXED + query.column_index(), query.rotation()),
        Expression::Instance(query) => {
            return column(FIXED + ADVICE + query.column_index(), query.rotation());
        }
        Expression::Challenge(_) => return Operand::Challenge(0),
        Expression::Negated(a) => Operation::Negate(compile(source, a)),
        Expression::Sum(a, b) => match &**b {
            Expression::Negated(b) => Operation::Sub(compile(source, a), compile(source, b)),
            b => match (compile(source, a), compile(source, b)) {
                (a, b) if a == b => Operation::Double(a),
                (a, b) => Operation::Add(a, b),
            },
        },
        Expression::Product(a, b) => match (compile(source, a), compile(source, b)) {
            (a, b) if a == b => Operation::Square(a),
            (a, b) => Operation::Mul(a, b),
        },
        Expression::Scaled(a, factor) => Operation::Mul(compile(source, a), push_constant(source, *factor)),
    };
    let register = source.registers;
    source.registers += 1;
    source.code.push(Instruction { register, operation });
    Operand::Register(register)
}

fn push_constant(source: &mut ProgramSource<Fr>, constant: Fr) -> Operand {
    source.constants.push(constant);
    Operand::Constant(source.constants.len() as u32 - 1)
}

#[test]
fn random_gates_over_all_rows_are_what_halo2_evaluates() {
    let random = &mut random();
    for (n, scale) in [(16, 1), (33, 2), (64, 4), (128, 8), (250, 1)] {
        for _ in 0..4 {
            let system = System::any(random);
            let mut column = || (0..n).map(|_| Fr::random(&mut *random)).collect::<Vec<_>>();
            let columns: Vec<_> = (0..FIXED + ADVICE + 1).map(|_| column()).collect();
            let before = column();
            let challenges = [Fr::random(&mut *random), Fr::random(&mut *random)];
            let expected = system.expected(&columns, challenges, scale, &before);
            for_each_isa(|context| {
                let program = Program::new(context, &system.program()).unwrap();
                let columns: Vec<_> =
                    columns.iter().map(|column| Buffer::of(context, column).unwrap()).collect();
                let mut out = Buffer::of(context, &before).unwrap();
                let handed: Vec<_> = columns.iter().collect();
                context.at_once().run(&program, &handed, &challenges, scale as u64, n, &mut out).unwrap();
                assert!(out.to_vec().unwrap() == expected, "{n} rows, scale {scale}");
            });
        }
    }
}
