//! What a lookup's columns are made of.

use halo2_axiom::{halo2curves::bn256::Fr, plonk::Expression};
use zkaccel::Context;

use crate::{
    error::Result,
    program::{Compiled, Scalar, Source, calculation::Value, graph::Graph},
};

/// The programs of one lookup over the rows.
#[derive(Debug)]
pub(crate) struct LookupPrograms {
    /// theta^(m-1) a_0 + ... + a_(m-1)
    pub(crate) input: Compiled,
    /// The same of the table.
    pub(crate) table: Compiled,
}

impl LookupPrograms {
    pub(crate) fn new(
        context: &Context,
        rows: usize,
        inputs: &[Expression<Fr>],
        tables: &[Expression<Fr>],
    ) -> Result<Self> {
        let program = |expressions: &[Expression<Fr>]| {
            let mut graph = Graph::new(rows);
            let compressed = compress(&mut graph, expressions);
            graph.compile(context, compressed)
        };
        Ok(Self { input: program(inputs)?, table: program(tables)? })
    }
}

/// The expressions by powers of theta.
pub(crate) fn compress(graph: &mut Graph, expressions: &[Expression<Fr>]) -> Value {
    let theta = graph.scalar(Scalar::Theta);
    let parts: Vec<_> = expressions.iter().map(|expression| graph.expression(expression)).collect();
    graph.horner(parts, theta)
}

/// (a + beta) * (s + gamma): of the input and the table it is the numerator of the grand product, of A' and S' the
/// denominator.
pub(crate) fn pair(graph: &mut Graph, a: Value, s: Value) -> Value {
    let (beta, gamma) = (graph.scalar(Scalar::Beta), graph.scalar(Scalar::Gamma));
    let (a, s) = (graph.add(a, beta), graph.add(s, gamma));
    graph.mul(a, s)
}

/// [`pair`] of [`Source::Input`] and [`Source::Table`], for all lookups.
pub(crate) fn pair_program(context: &Context, rows: usize) -> Result<Compiled> {
    let mut graph = Graph::new(rows);
    let (a, s) = (graph.column(Source::Input, 0), graph.column(Source::Table, 0));
    let value = pair(&mut graph, a, s);
    graph.compile(context, value)
}
