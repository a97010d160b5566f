//! The permuted columns of a lookup of 16-bit numbers, in halo2's order.

use halo2curves_axiom::bn256::Fr;
use zkaccel::{Buffer, Context, PermuteOrder, Result};
use zkaccel_measure::Effort;

use super::{LOGS_OF_MANY, Rows, power};
use crate::{
    contenders::{Contenders, Operation},
    inputs::{Inputs, lookup},
    machine::Machine,
};

const NAME: &str = "permuted columns of a lookup";

struct Permutation {
    context: Context,
    a: Buffer<Fr>,
    s: Buffer<Fr>,
    a_out: Buffer<Fr>,
    s_out: Buffer<Fr>,
}

impl Permutation {
    fn new(context: &Context, a: &[Fr], s: &[Fr]) -> Result<Self> {
        Ok(Self {
            context: context.clone(),
            a: Buffer::of(context, a)?,
            s: Buffer::of(context, s)?,
            a_out: Buffer::new(context, a.len())?,
            s_out: Buffer::new(context, s.len())?,
        })
    }
}

impl Operation for Permutation {
    fn run(&mut self) -> Result<()> {
        let (n, order) = (self.a.len(), PermuteOrder::FirstMeets);
        self.context.at_once().permute(&self.a, &self.s, n, order, &mut self.a_out, &mut self.s_out)
    }

    fn output(&self) -> Result<Vec<Fr>> {
        let mut both = self.a_out.to_vec()?;
        both.extend(self.s_out.to_vec()?);
        Ok(both)
    }
}

pub(crate) fn rows(machine: &Machine, _inputs: &Inputs, effort: &Effort) -> Rows {
    for &k in effort.logs(LOGS_OF_MANY) {
        let (a, s) = lookup(1 << k);
        let of = |context| Permutation::new(context, &a, &s);
        let mut row = Contenders::new(NAME, &power(k));
        row.both(of(&machine.gpu)?, of(&machine.cpu)?)?;
        row.measure(effort, NAME, power(k), 0.0)?;
    }
    Ok(())
}
