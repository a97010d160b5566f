//! What a multi-point opening takes: a fold of polynomials, a division by a root, values at points.

use halo2curves_axiom::{bn256::Fr, ff::Field};
use zkaccel::{Buffer, Context, Result};
use zkaccel_measure::Effort;

use super::{LOGS, LOGS_OF_MANY, Rows, each, power};
use crate::{
    contenders::{Contenders, Operation},
    inputs::{Inputs, scalars},
    machine::Machine,
};

const FOLD: &str = "multiopen: fold of eight polynomials";
const DIVISION: &str = "multiopen: division by a root";
const VALUE: &str = "multiopen: value at a point";
/// Polynomials of a fold.
const POLYS: usize = 8;
/// Where it is divided and evaluated.
const POINT: u64 = 0x9e37_79b9_7f4a_7c15;

struct Fold {
    context: Context,
    polys: Vec<Buffer<Fr>>,
    out: Buffer<Fr>,
}

impl Fold {
    fn new(context: &Context, all: &[Fr]) -> Result<Self> {
        let n = all.len() / POLYS;
        let polys = all.chunks_exact(n).map(|poly| Buffer::of(context, poly)).collect::<Result<_>>()?;
        Ok(Self { context: context.clone(), polys, out: Buffer::new(context, n)? })
    }
}

impl Operation for Fold {
    fn run(&mut self) -> Result<()> {
        let polys: Vec<_> = self.polys.iter().collect();
        self.context.at_once().fold(&polys, Fr::from(POINT), None, &mut self.out)
    }

    fn output(&self) -> Result<Vec<Fr>> {
        self.out.to_vec()
    }
}

pub(crate) fn folds(machine: &Machine, _inputs: &Inputs, effort: &Effort) -> Rows {
    for &k in effort.logs(LOGS_OF_MANY) {
        let all = scalars(POLYS << k);
        let mut row = Contenders::new(FOLD, &power(k));
        row.both(Fold::new(&machine.gpu, &all)?, Fold::new(&machine.cpu, &all)?)?;
        row.measure(effort, FOLD, power(k), each(1 << k, POLYS))?;
    }
    Ok(())
}

/// Each divides what the one before it left.
struct Division {
    context: Context,
    poly: Buffer<Fr>,
}

impl Division {
    fn new(context: &Context, poly: &[Fr]) -> Result<Self> {
        Ok(Self { context: context.clone(), poly: Buffer::of(context, poly)? })
    }
}

impl Operation for Division {
    fn run(&mut self) -> Result<()> {
        let (n, mut remainder) = (self.poly.len(), [Fr::ZERO]);
        self.context.at_once().divide(&mut self.poly, n, &[Fr::from(POINT)], &mut remainder)
    }

    fn output(&self) -> Result<Vec<Fr>> {
        self.poly.to_vec()
    }
}

pub(crate) fn divisions(machine: &Machine, inputs: &Inputs, effort: &Effort) -> Rows {
    for &k in effort.logs(LOGS) {
        let poly = &inputs.scalars[..1 << k];
        let mut row = Contenders::new(DIVISION, &power(k));
        row.both(Division::new(&machine.gpu, poly)?, Division::new(&machine.cpu, poly)?)?;
        row.measure(effort, DIVISION, power(k), each(1 << k, 1))?;
    }
    Ok(())
}

struct Value {
    poly: Buffer<Fr>,
    value: Fr,
}

impl Value {
    fn new(context: &Context, poly: &[Fr]) -> Result<Self> {
        Ok(Self { poly: Buffer::of(context, poly)?, value: Fr::ZERO })
    }
}

impl Operation for Value {
    fn run(&mut self) -> Result<()> {
        self.value = self.poly.evaluate(Fr::from(POINT))?;
        Ok(())
    }

    fn output(&self) -> Result<Vec<Fr>> {
        Ok(vec![self.value])
    }
}

pub(crate) fn values(machine: &Machine, inputs: &Inputs, effort: &Effort) -> Rows {
    for &k in effort.logs(LOGS) {
        let poly = &inputs.scalars[..1 << k];
        let mut row = Contenders::new(VALUE, &power(k));
        row.both(Value::new(&machine.gpu, poly)?, Value::new(&machine.cpu, poly)?)?;
        row.measure(effort, VALUE, power(k), each(1 << k, 1))?;
    }
    Ok(())
}
