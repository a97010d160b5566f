//! A plain interpreter of the library's programs.

use halo2curves::{bn256::Fr, ff::Field};
use rayon::prelude::*;
use zkaccel::{Operand, Operation, ProgramSource};

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

/// The row that is `by` further on, round all `n`.
#[expect(clippy::cast_possible_wrap, clippy::cast_possible_truncation, reason = "rows are few")]
fn rotated(row: usize, by: i64, n: usize) -> usize {
    (row as i64 + by).rem_euclid(n as i64) as usize
}
