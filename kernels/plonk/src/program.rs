//! Programs of the library, with what their columns and challenges are.

mod calculation;
mod graph;
mod lookup;
mod permutation;
mod quotient;

pub(crate) use graph::Graph;
use halo2_axiom::{
    halo2curves::bn256::Fr,
    plonk::{Any, Column},
};
pub(crate) use lookup::{LookupPrograms, pair_program};
pub(crate) use permutation::SetPrograms;
pub(crate) use quotient::quotient_programs;
use zkaccel::{Buffer, Bytes, Context, Program};

use crate::{engine::Engine, error::Result};

/// A column that a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Fixed(usize),
    Advice(usize),
    Instance(usize),
    /// The permutation's column s_j, for the j-th of its columns.
    Sigma(usize),
    /// The grand product of a set of the permutation's columns.
    SetProduct(usize),
    /// The grand product of a lookup.
    LookupProduct(usize),
    /// A' of a lookup.
    PermutedInput(usize),
    /// S' of a lookup.
    PermutedTable(usize),
    /// The compressed input and table of a lookup.
    Input,
    Table,
    /// 1 in the first row.
    First,
    /// 1 in the row after the usable ones.
    Last,
    /// 1 in the usable rows.
    Active,
    /// omega^i in row i.
    Powers,
    /// One of several columns that are combined.
    Part(usize),
}

/// A number that a program is handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Theta,
    Beta,
    Gamma,
    Y,
    /// beta * delta^j times the shift of the coset, for the j-th of the permutation's columns.
    Identity(usize),
    /// A challenge of the constraint system.
    Challenge(usize),
    /// The factor of one of several columns that are combined.
    Factor(usize),
}

/// A program and what it is handed.
#[derive(Debug)]
pub(crate) struct Compiled {
    program: Program<Fr>,
    instructions: usize,
    columns: Vec<Source>,
    scalars: Vec<Scalar>,
}

impl Compiled {
    /// The columns that it reads.
    pub(crate) fn columns(&self) -> &[Source] {
        &self.columns
    }

    pub(crate) fn instructions(&self) -> usize {
        self.instructions
    }

    /// The scratch of a run over so many rows.
    pub(crate) fn bytes(&self, rows: usize) -> Result<Bytes> {
        Ok(self.program.run_bytes(rows)?)
    }

    /// `out` = the program's value in all rows.
    pub(crate) fn run<'c>(
        &self,
        engine: &Engine<'_>,
        column: impl Fn(Source) -> &'c Buffer<Fr>,
        scalar: impl Fn(Scalar) -> Fr,
        out: &mut Buffer<Fr>,
    ) -> Result<()> {
        let columns: Vec<_> = self.columns.iter().map(|&source| column(source)).collect();
        let scalars: Vec<_> = self.scalars.iter().map(|&name| scalar(name)).collect();
        engine.run(&self.program, self.instructions, &columns, &scalars, out)
    }
}

impl Source {
    /// Whether it is the same in all proofs, and has a polynomial.
    pub(crate) fn is_common(self) -> bool {
        matches!(self, Self::Fixed(_) | Self::Sigma(_) | Self::First | Self::Last | Self::Active)
    }

    /// Whether its values over the rows are the key's.
    pub(crate) fn is_of_key(self) -> bool {
        matches!(self, Self::Fixed(_) | Self::Sigma(_))
    }
}

impl From<Column<Any>> for Source {
    fn from(column: Column<Any>) -> Self {
        match column.column_type() {
            Any::Advice(_) => Self::Advice(column.index()),
            Any::Fixed => Self::Fixed(column.index()),
            Any::Instance => Self::Instance(column.index()),
        }
    }
}

/// The sum of `parts` columns, each times a factor.
pub(crate) fn combination_program(context: &Context, rows: usize, parts: usize) -> Result<Compiled> {
    let mut graph = Graph::new(rows);
    let mut sum = graph.constant(Fr::zero());
    for part in 0..parts {
        let (column, factor) = (graph.column(Source::Part(part), 0), graph.scalar(Scalar::Factor(part)));
        sum = graph.mul_add(factor, column, sum);
    }
    graph.compile(context, sum)
}
