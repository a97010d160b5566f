//! The step circuit that most rules are tried with, and its public parameters.

use std::sync::LazyLock;

use elastic_folding::frontend::{
    Advice, AssignedCell, Column, ConstraintSystem, Constraints, Layouter, Rotation, Selector, StepCircuit,
    SynthesisError, Value,
};
use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField;

use super::{Pp, set_up};

/// `z_out = z_in^3 + witness`, with what may be wrong about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cubic {
    pub(super) witness: u64,
    pub(super) manner: Manner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// As it should be.
    Honest,
    /// The output is off by one.
    WrongOutput,
    /// The output is that of an input which the step was not given.
    OtherInput,
    /// The gate is enabled one row further down.
    OtherRow,
    /// `process_step` computes something else.
    OtherProcess,
}

pub(super) const fn cubic(witness: u64) -> Cubic {
    Cubic { witness, manner: Manner::Honest }
}

pub(super) const fn bad(manner: Manner) -> Cubic {
    Cubic { witness: 1, manner }
}

pub(super) static CUBIC: Cubic = cubic(1);
pub(super) static CUBIC_PP: LazyLock<Pp<Cubic>> = LazyLock::new(|| set_up(&CUBIC).unwrap());

pub(super) type Config = ([Column<Advice>; 3], Selector);

pub(super) fn columns<F: PrimeField>(cs: &mut ConstraintSystem<F>) -> Config {
    let columns = [cs.advice_column(), cs.advice_column(), cs.advice_column()];
    let enabled = cs.selector();
    cs.enable_equality(columns[0]);
    cs.enable_equality(columns[2]);
    cs.create_gate("cubic", |cells| {
        let [x, witness, y] = columns.map(|column| cells.query_advice(column, Rotation::cur()));
        let cubic = x.clone() * x.clone() * x + witness - y;
        Constraints::with_selector(enabled, vec![("y = x^3 + witness", cubic)])
    });
    (columns, enabled)
}

impl StepCircuit<1, Fr> for Cubic {
    type Config = Config;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Config {
        columns(cs)
    }

    fn synthesize_step(
        &self,
        (columns, enabled): Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let is = |manner| self.manner == manner;
        let output = layouter.assign_region(
            || "cubic",
            |mut region| {
                enabled.enable(&mut region, usize::from(is(Manner::OtherRow)))?;
                let input = z_i[0].value().map(|z| *z + Fr::from(u64::from(is(Manner::OtherInput))));
                let x = region.assign_advice(|| "x", columns[0], 0, || input)?;
                region.constrain_equal(x.cell(), z_i[0].cell())?;
                let witness = Fr::from(self.witness);
                region.assign_advice(|| "witness", columns[1], 0, || Value::known(witness))?;
                let off = Fr::from(u64::from(is(Manner::WrongOutput)));
                let y = input.map(|x| x.square() * x + witness + off);
                region.assign_advice(|| "y", columns[2], 0, || y)
            },
        )?;
        Ok([output])
    }

    fn process_step(&self, z_i: &[Fr; 1], k_table_size: u32) -> Result<[Fr; 1], SynthesisError> {
        assert_eq!(k_table_size, 17);
        let off = Fr::from(u64::from(self.manner == Manner::OtherProcess));
        Ok([z_i[0].square() * z_i[0] + Fr::from(self.witness) + off])
    }
}

/// The state of a computation of these witnesses, computed without a proof.
pub(super) fn expected(witnesses: &[u64]) -> Fr {
    witnesses.iter().fold(Fr::from(2), |z, witness| z.square() * z + Fr::from(*witness))
}
