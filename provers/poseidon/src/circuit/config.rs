//! The columns and the gates.

use halo2_axiom::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, Selector, VirtualCells},
    poly::Rotation,
};

use super::{PARTIAL_ROUNDS_PER_ROW, PartialRounds, Step, remainder, steps};
use crate::parameters::{FULL_ROUNDS, Parameters};

/// The degree of the gates: a selector times x^5.
///
/// It has to be said, because the front end caps the degree that it finds itself at 5 and would then make
/// proofs that do not verify.
const DEGREE: usize = 6;

#[derive(Clone, Debug)]
pub(crate) struct PoseidonConfig {
    state: Vec<Column<Advice>>,
    inner: Vec<Column<Advice>>,
    pub(super) constants: Vec<Column<Fixed>>,
    pub(super) first: Selector,
    full: Selector,
    partial: Selector,
    remainder: Selector,
    pub(super) output: Selector,
}

impl PoseidonConfig {
    pub(super) fn configure(meta: &mut ConstraintSystem<Fr>, parameters: &Parameters) -> Self {
        meta.set_minimum_degree(DEGREE);
        let cells = parameters.width + PARTIAL_ROUNDS_PER_ROW - 1;
        let config = Self {
            state: (0..parameters.width).map(|_| meta.advice_column()).collect(),
            inner: (parameters.width..cells).map(|_| meta.advice_column()).collect(),
            constants: (0..cells).map(|_| meta.fixed_column()).collect(),
            first: meta.selector(),
            full: meta.selector(),
            partial: meta.selector(),
            remainder: meta.selector(),
            output: meta.selector(),
        };
        config.first_gate(meta, parameters);
        config.full_gate(meta, parameters);
        config.partial_gate(meta, parameters, config.partial, PARTIAL_ROUNDS_PER_ROW);
        if remainder(parameters) > 0 {
            config.partial_gate(meta, parameters, config.remainder, remainder(parameters));
        }
        config.output_gate(meta, parameters);
        config
    }

    /// All advice columns, in the order of a row's cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Column<Advice>> {
        self.state.iter().chain(&self.inner)
    }

    pub(super) fn selector(&self, step: Step) -> Selector {
        match step {
            Step::Full { .. } => self.full,
            Step::Partial { .. } => self.partial,
            Step::Remainder { .. } => self.remainder,
        }
    }

    /// The capacity starts at zero: element 0 of the first row is the first round constant. The other elements
    /// are free; an input is its cell less its constant.
    fn first_gate(&self, meta: &mut ConstraintSystem<Fr>, parameters: &Parameters) {
        meta.create_gate("capacity is zero", |cells| {
            let capacity = cells.query_advice(self.state[0], Rotation::cur());
            let constant = Expression::Constant(parameters.round_constants[0][0]);
            [cells.query_selector(self.first) * (capacity - constant)]
        });
    }

    /// `next = M · x^5 + constants`.
    fn full_gate(&self, meta: &mut ConstraintSystem<Fr>, parameters: &Parameters) {
        meta.create_gate("full round", |cells| {
            let selector = cells.query_selector(self.full);
            let powers: Vec<_> = self.query(cells, &self.state, Rotation::cur()).map(fifth_power).collect();
            let next: Vec<_> = self.query(cells, &self.state, Rotation::next()).collect();
            let rows = parameters.matrix.iter().zip(next).enumerate();
            rows.map(|(i, (row, next))| {
                let constant = cells.query_fixed(self.constants[i], Rotation::cur());
                selector.clone() * (linear(row, &powers) + constant - next)
            })
            .collect::<Vec<_>>()
        });
    }

    /// `count` partial rounds: each inner cell is the S-box input that it should be, and so is the next row.
    fn partial_gate(
        &self,
        meta: &mut ConstraintSystem<Fr>,
        parameters: &Parameters,
        selector: Selector,
        count: usize,
    ) {
        let rounds = PartialRounds::new(parameters, FULL_ROUNDS / 2, count);
        meta.create_gate("partial rounds", |cells| {
            let selector = cells.query_selector(selector);
            let state: Vec<_> = self.query(cells, &self.state, Rotation::cur()).collect();
            let inner: Vec<_> = self.query(cells, &self.inner[..count - 1], Rotation::cur()).collect();
            let next: Vec<_> = self.query(cells, &self.state, Rotation::next()).collect();
            let sbox_inputs = state[..1].iter().chain(&inner).cloned();
            let basis: Vec<_> = sbox_inputs.map(fifth_power).chain(state[1..].iter().cloned()).collect();
            let claims = rounds.next.iter().zip(next).enumerate();
            let inner_claims = rounds.inner.iter().zip(inner).enumerate();
            claims
                .chain(inner_claims.map(|(j, claim)| (parameters.width + j, claim)))
                .map(|(column, (map, cell))| {
                    let constant = cells.query_fixed(self.constants[column], Rotation::cur());
                    selector.clone() * (linear(&map.coefficients, &basis) + constant - cell)
                })
                .collect::<Vec<_>>()
        });
    }

    /// The result is the public input, which is in row 0 of the instance column.
    fn output_gate(&self, meta: &mut ConstraintSystem<Fr>, parameters: &Parameters) {
        let instance = meta.instance_column();
        let back = -i32::try_from(steps(parameters).len()).expect("the table has 32 rows");
        meta.create_gate("result is the public input", |cells| {
            let result = cells.query_advice(self.state[0], Rotation::cur());
            let public = cells.query_instance(instance, Rotation(back));
            [cells.query_selector(self.output) * (result - public)]
        });
    }

    fn query(
        &self,
        cells: &mut VirtualCells<'_, Fr>,
        columns: &[Column<Advice>],
        at: Rotation,
    ) -> impl Iterator<Item = Expression<Fr>> + use<> {
        columns.iter().map(|&column| cells.query_advice(column, at)).collect::<Vec<_>>().into_iter()
    }
}

fn fifth_power(x: Expression<Fr>) -> Expression<Fr> {
    let square = x.clone() * x.clone();
    square.clone() * square * x
}

fn linear(coefficients: &[Fr], basis: &[Expression<Fr>]) -> Expression<Fr> {
    let terms = basis.iter().zip(coefficients).map(|(term, &factor)| term.clone() * factor);
    terms.reduce(|sum, term| sum + term).expect("a state has elements")
}
