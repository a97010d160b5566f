//! What the grand products of the permutation are made of.

use zkaccel::Context;

use crate::{
    error::Result,
    program::{Compiled, Scalar, Source, calculation::Value, graph::Graph},
};

/// The programs of one set of columns over the rows. Each of its factors is
/// (p_j + beta * delta^j * X + gamma) / (p_j + beta * s_j + gamma).
#[derive(Debug)]
pub(crate) struct SetPrograms {
    pub(crate) numerator: Compiled,
    pub(crate) denominator: Compiled,
}

impl SetPrograms {
    /// For the set whose first column is the `first` of the permutation.
    pub(crate) fn new(context: &Context, rows: usize, first: usize, columns: &[Source]) -> Result<Self> {
        let program = |factor: fn(&mut Graph, Source, usize) -> Value| {
            let mut graph = Graph::new(rows);
            let mut product = graph.constant(1.into());
            for (at, &column) in columns.iter().enumerate() {
                let factor = factor(&mut graph, column, first + at);
                product = graph.mul(product, factor);
            }
            graph.compile(context, product)
        };
        Ok(Self { numerator: program(identity_factor)?, denominator: program(sigma_factor)? })
    }
}

/// p_j + beta * delta^j * X + gamma
pub(crate) fn identity_factor(graph: &mut Graph, column: Source, j: usize) -> Value {
    let value = blinded(graph, column);
    let (identity, power) = (graph.scalar(Scalar::Identity(j)), graph.column(Source::Powers, 0));
    graph.mul_add(identity, power, value)
}

/// p_j + beta * s_j + gamma
pub(crate) fn sigma_factor(graph: &mut Graph, column: Source, j: usize) -> Value {
    let value = blinded(graph, column);
    let (beta, sigma) = (graph.scalar(Scalar::Beta), graph.column(Source::Sigma(j), 0));
    graph.mul_add(beta, sigma, value)
}

fn blinded(graph: &mut Graph, column: Source) -> Value {
    let (value, gamma) = (graph.column(column, 0), graph.scalar(Scalar::Gamma));
    graph.add(value, gamma)
}
