//! Values for a random circuit that meet its constraints.

use halo2_axiom::halo2curves::{bn256::Fr, ff::Field};

use super::{
    expression::Node,
    spec::{CopyFrom, FIRST, ROWS, Role, Spec, below, value},
};
use crate::support::rng;

/// Instances, and what is random in advice columns.
#[derive(Clone, Debug)]
pub(crate) struct Witness {
    pub(crate) instances: Vec<Vec<Fr>>,
    random: Vec<Vec<Fr>>,
    /// This cell has one more than it should.
    pub(crate) wrong: Option<(usize, usize)>,
}

impl Witness {
    pub(crate) fn random(spec: &Spec, seed: u64) -> Self {
        let rng = &mut rng(seed);
        let instances = spec.instances.iter().map(|&n| (0..n).map(|_| value(rng)).collect()).collect();
        let mut random: Vec<Vec<Fr>> =
            spec.advice.iter().map(|_| (0..ROWS).map(|_| value(rng)).collect()).collect();
        for lookup in &spec.lookups {
            for row in FIRST..FIRST + spec.steps {
                let from = below(rng, ROWS);
                for (part, &input) in lookup.inputs.iter().enumerate() {
                    random[input][row] = match lookup.advice {
                        Some(table) => random[table][from],
                        None => lookup.roots[part][from],
                    };
                }
            }
        }
        Self { instances, random, wrong: None }
    }

    /// All advice columns, as far as they are known with these challenges.
    pub(crate) fn advice(&self, spec: &Spec, challenges: &[Option<Fr>]) -> Vec<Vec<Option<Fr>>> {
        let mut columns: Vec<Vec<Option<Fr>>> = Vec::new();
        for (at, advice) in spec.advice.iter().enumerate() {
            let mut column: Vec<Option<Fr>> = self.random[at].iter().copied().map(Some).collect();
            if let Role::Target(node) = &advice.role {
                for (row, cell) in column.iter_mut().enumerate().skip(FIRST).take(spec.steps) {
                    let there = |by: i32| row.wrapping_add_signed(by as isize);
                    *cell = node.value(&|leaf| match *leaf {
                        Node::Advice(at, by) => columns[at][there(by)],
                        Node::Fixed(at, by) => Some(spec.fixed[at][there(by)]),
                        Node::Instance(at, by) => Some(self.instance(at, there(by))),
                        Node::Challenge(at) => challenges[at],
                        _ => unreachable!("it is no leaf"),
                    });
                }
            }
            for ((_, row), from) in spec.copies.iter().filter(|((sink, _), _)| *sink == at) {
                column[*row] = match *from {
                    CopyFrom::Advice(at, row) => columns[at][row],
                    CopyFrom::Fixed(at, row) => Some(spec.fixed[at][row]),
                    CopyFrom::Instance(at, row) => Some(self.instance(at, row)),
                    CopyFrom::Constant(value) => Some(Fr::from(value)),
                };
            }
            columns.push(column);
        }
        if let Some((column, row)) = self.wrong {
            let cell = &mut columns[column][row];
            *cell = cell.map(|value| value + Fr::ONE);
        }
        columns
    }

    fn instance(&self, at: usize, row: usize) -> Fr {
        self.instances[at].get(row).copied().unwrap_or(Fr::ZERO)
    }
}
