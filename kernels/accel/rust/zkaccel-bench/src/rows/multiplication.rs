//! How fast this CPU multiplies: rows of squarings that stay in its cache. What other rows take is reported as a share of
//! this.

use halo2curves::bn256::Fr;
use zkaccel::{Buffer, Instruction, Operand, Operation, Program, ProgramSource};
use zkaccel_measure::Effort;

use super::{Rows, each};
use crate::{
    inputs,
    machine::Machine,
    turns::{Contender, measure},
};

/// Rows of a column that stays in the second-level cache, and squarings of each.
const ROWS: usize = 1 << 12;
const SQUARINGS: usize = 256;

pub(crate) fn rows(machine: &Machine, effort: &Effort) -> Rows {
    let numbers = inputs::scalars(ROWS);
    let squared: Vec<_> =
        numbers.iter().map(|&number| (0..SQUARINGS).fold(number, |x, _| x.square())).collect();
    let first = Operand::Column { index: 0, rotation: 0 };
    let code = (0..SQUARINGS).map(|i| if i == 0 { first } else { Operand::Register(0) });
    let code = code.map(|from| Instruction { register: 0, operation: Operation::Square(from) }).collect();
    let source = ProgramSource { code, columns: 1, registers: 1, ..ProgramSource::default() };
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let program = Program::new(&ours.context, &source)?;
        let column = Buffer::of(&ours.context, &numbers)?;
        let mut out = Buffer::<Fr>::new(&ours.context, ROWS)?;
        ours.context.at_once().run(&program, &[&column], &[], 1, ROWS, &mut out)?;
        assert!(out.to_vec()? == squared);
        contenders.push(Contender::new(ours.name, move || {
            ours.context.at_once().run(&program, &[&column], &[], 1, ROWS, &mut out).expect("it ran before");
        }));
    }
    let what = ("multiplications in cache", format!("{ROWS} x {SQUARINGS}"), each(ROWS, SQUARINGS));
    Ok(vec![measure(machine, effort, what, contenders)])
}
