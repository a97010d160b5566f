//! All gates of the Poseidon circuit for two inputs, over the rows of an extended domain. halo2's evaluator is private to
//! its crate: the peer interprets the same instructions as that does, one row at a time.

use halo2curves::bn256::Fr;
use zkaccel::{Buffer, Program};
use zkaccel_measure::{Effort, multiplications, program_of_gates};

use super::{Rows, each, power};
use crate::{
    inputs,
    machine::Machine,
    program,
    turns::{Contender, Measured, measure},
};

const LOGS: &[u32] = &[12, 16, 18];
/// Inputs of the circuit.
const INPUTS: usize = 2;
/// The degree of the gates is 6, so that the extended domain has 2^3 rows for each.
const SCALE: u32 = 8;

pub(crate) fn rows(machine: &Machine, effort: &Effort) -> Rows {
    effort.logs(LOGS).iter().map(|&k| row(machine, effort, k)).collect()
}

fn row(machine: &Machine, effort: &Effort, k: u32) -> Result<Measured, Box<dyn std::error::Error>> {
    let n = 1 << k;
    let source = program_of_gates(&poseidon::constraint_system(INPUTS));
    let all = inputs::scalars(n * source.columns as usize + 1);
    let columns: Vec<_> = all.chunks_exact(n).map(<[_]>::to_vec).collect();
    let y = all[all.len() - 1];
    let mut theirs = columns[0].clone();
    program::interpret(&source, &columns, y, i64::from(SCALE), &mut theirs);
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let program = Program::new(&ours.context, &source)?;
        let columns =
            columns.iter().map(|column| Buffer::of(&ours.context, column)).collect::<Result<Vec<_>, _>>()?;
        let mut out = Buffer::of(&ours.context, &all[..n])?;
        let run = move |out: &mut Buffer<Fr>| {
            let columns: Vec<_> = columns.iter().collect();
            ours.context.at_once().run(&program, &columns, &[y], u64::from(SCALE), n, out)
        };
        run(&mut out)?;
        assert!(out.to_vec()? == theirs);
        contenders.push(Contender::new(ours.name, move || run(&mut out).expect("it worked before")));
    }
    let interpreted = &source;
    contenders.push(Contender::new("interpreter as halo2's", || {
        program::interpret(interpreted, &columns, y, i64::from(SCALE), &mut theirs);
    }));
    let what = ("quotient: gates of the Poseidon circuit", power(k), each(n, multiplications(&source)));
    Ok(measure(machine, effort, what, contenders))
}
