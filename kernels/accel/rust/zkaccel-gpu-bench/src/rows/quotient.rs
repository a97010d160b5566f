//! All gates of the Poseidon circuit for two inputs, over the rows of an extended domain.

use halo2curves_axiom::bn256::Fr;
use zkaccel::{Buffer, Context, Program, ProgramSource, Result};
use zkaccel_measure::{Effort, multiplications, program_of_gates};

use super::{LOGS_OF_MANY, Rows, each, power};
use crate::{
    contenders::{Contenders, Operation},
    inputs::{Inputs, scalars},
    machine::Machine,
};

const NAME: &str = "quotient: gates of the Poseidon circuit";
/// Inputs of the circuit.
const INPUTS: usize = 2;
/// The degree of the gates is 6, so that the extended domain has 2^3 rows for each.
const SCALE: u64 = 8;

struct Evaluation {
    context: Context,
    program: Program<Fr>,
    columns: Vec<Buffer<Fr>>,
    out: Buffer<Fr>,
}

impl Evaluation {
    fn new(context: &Context, source: &ProgramSource<Fr>, all: &[Fr], n: usize) -> Result<Self> {
        Ok(Self {
            context: context.clone(),
            program: Program::new(context, source)?,
            columns: all.chunks_exact(n).map(|column| Buffer::of(context, column)).collect::<Result<_>>()?,
            out: Buffer::of(context, &all[..n])?,
        })
    }
}

impl Operation for Evaluation {
    fn run(&mut self) -> Result<()> {
        let columns: Vec<_> = self.columns.iter().collect();
        let (n, y) = (self.out.len(), Fr::from(0x9e37_79b9));
        self.context.at_once().run(&self.program, &columns, &[y], SCALE, n, &mut self.out)
    }

    fn output(&self) -> Result<Vec<Fr>> {
        self.out.to_vec()
    }
}

pub(crate) fn rows(machine: &Machine, _inputs: &Inputs, effort: &Effort) -> Rows {
    let source = program_of_gates(&poseidon::constraint_system(INPUTS));
    for &k in effort.logs(LOGS_OF_MANY) {
        let n = 1 << k;
        let all = scalars(n * source.columns as usize);
        let of = |context| Evaluation::new(context, &source, &all, n);
        let mut row = Contenders::new(NAME, &power(k));
        row.both(of(&machine.gpu)?, of(&machine.cpu)?)?;
        row.measure(effort, NAME, power(k), each(n, multiplications(&source)))?;
    }
    Ok(())
}
