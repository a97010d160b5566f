//! Inverses of a column in place. sppark has none that a host may call.

use halo2curves_axiom::bn256::Fr;
use zkaccel::{Buffer, Context, Result};
use zkaccel_measure::Effort;

use super::{LOGS, Rows, each, power};
use crate::{
    contenders::{Contenders, Operation},
    inputs::Inputs,
    machine::Machine,
    peers::{HALO2, halo2},
};

const NAME: &str = "batch inversion";

struct Inversion {
    context: Context,
    column: Buffer<Fr>,
}

impl Inversion {
    fn new(context: &Context, column: &[Fr]) -> Result<Self> {
        Ok(Self { context: context.clone(), column: Buffer::of(context, column)? })
    }
}

impl Operation for Inversion {
    fn run(&mut self) -> Result<()> {
        self.context.at_once().invert(&mut self.column, ..)
    }

    fn output(&self) -> Result<Vec<Fr>> {
        self.column.to_vec()
    }
}

pub(crate) fn rows(machine: &Machine, inputs: &Inputs, effort: &Effort) -> Rows {
    for &k in effort.logs(LOGS) {
        let column = &inputs.scalars[..1 << k];
        let mut inverted = Inversion::new(&machine.cpu, column)?;
        inverted.run()?;
        let expected = inverted.output()?;
        let mut row = Contenders::new(NAME, &power(k));
        row.both(Inversion::new(&machine.gpu, column)?, Inversion::new(&machine.cpu, column)?)?;
        row.peer(HALO2, halo2::Inversion::new(column, &expected));
        row.measure(effort, NAME, power(k), each(1 << k, 3))?;
    }
    Ok(())
}
