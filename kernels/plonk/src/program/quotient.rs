//! All constraints as one program, by powers of y: the numerator of the quotient polynomial on a coset.
//!
//! The order is that of halo2's `Evaluator::evaluate_h`: gates, then the permutation, then lookups.

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::ConstraintSystem,
};
use zkaccel::Context;

use crate::{
    error::Result,
    program::{
        Compiled, Scalar, Source,
        calculation::Value,
        graph::Graph,
        lookup::{compress, pair},
        permutation::{identity_factor, sigma_factor},
    },
};

/// Continues what the output had before: the constraints of another circuit.
pub(crate) fn quotient_program(
    context: &Context,
    rows: usize,
    system: &ConstraintSystem<Fr>,
    sets: &[Vec<Source>],
    last_rotation: i32,
) -> Result<Compiled> {
    let mut constraints = Constraints::new(rows);
    for gate in system.gates() {
        for polynomial in gate.polynomials() {
            let value = constraints.graph.expression(polynomial);
            constraints.require(value);
        }
    }
    constraints.permutation(sets, last_rotation);
    for (at, lookup) in system.lookups().iter().enumerate() {
        let table_value = {
            let graph = &mut constraints.graph;
            let input = compress(graph, lookup.input_expressions());
            let table = compress(graph, lookup.table_expressions());
            pair(graph, input, table)
        };
        constraints.lookup(at, table_value);
    }
    constraints.graph.compile(context, constraints.sum)
}

struct Constraints {
    graph: Graph,
    sum: Value,
}

impl Constraints {
    fn new(rows: usize) -> Self {
        Self { graph: Graph::new(rows), sum: Value::Previous }
    }

    /// The value is 0 in all rows.
    fn require(&mut self, value: Value) {
        let y = self.graph.scalar(Scalar::Y);
        self.sum = self.graph.mul_add(self.sum, y, value);
    }

    /// The value is 0 in the rows of `rows`.
    fn require_in(&mut self, rows: Source, value: Value) {
        let rows = self.graph.column(rows, 0);
        let value = self.graph.mul(value, rows);
        self.require(value);
    }

    fn permutation(&mut self, sets: &[Vec<Source>], last_rotation: i32) {
        let Some(last) = sets.len().checked_sub(1) else { return };
        // l_0 * (1 - z_0) = 0
        self.starts_with_one(Source::SetProduct(0));
        // l_last * (z_l^2 - z_l) = 0
        self.ends_with_bit(Source::SetProduct(last));
        // l_0 * (z_i - z_(i-1)(omega^last X)) = 0
        for set in 1..sets.len() {
            let z = self.graph.column(Source::SetProduct(set), 0);
            let before = self.graph.column(Source::SetProduct(set - 1), last_rotation);
            let difference = self.graph.sub(z, before);
            self.require_in(Source::First, difference);
        }
        // l_active * (z_i(omega X) prod (p + beta s_j + gamma) - z_i prod (p + delta^j beta X + gamma)) = 0
        let mut j = 0;
        for (set, columns) in sets.iter().enumerate() {
            let mut left = self.graph.column(Source::SetProduct(set), 1);
            let mut right = self.graph.column(Source::SetProduct(set), 0);
            for &column in columns {
                let factor = sigma_factor(&mut self.graph, column, j);
                left = self.graph.mul(left, factor);
                let factor = identity_factor(&mut self.graph, column, j);
                right = self.graph.mul(right, factor);
                j += 1;
            }
            let difference = self.graph.sub(left, right);
            self.require_in(Source::Active, difference);
        }
    }

    fn lookup(&mut self, at: usize, table_value: Value) {
        let product = Source::LookupProduct(at);
        let (input, table) = (Source::PermutedInput(at), Source::PermutedTable(at));
        let (a, s) = (self.graph.column(input, 0), self.graph.column(table, 0));
        // l_0 * (1 - z) = 0
        self.starts_with_one(product);
        // l_last * (z^2 - z) = 0
        self.ends_with_bit(product);
        // l_active * (z(omega X) (a' + beta) (s' + gamma) - z * (a + beta) (s + gamma)) = 0
        let permuted_value = pair(&mut self.graph, a, s);
        let (next, z) = (self.graph.column(product, 1), self.graph.column(product, 0));
        let left = self.graph.mul(next, permuted_value);
        let right = self.graph.mul(z, table_value);
        let difference = self.graph.sub(left, right);
        self.require_in(Source::Active, difference);
        // l_0 * (a' - s') = 0
        let a_minus_s = self.graph.sub(a, s);
        self.require_in(Source::First, a_minus_s);
        // l_active * (a' - s') * (a' - a'(omega^-1 X)) = 0
        let before = self.graph.column(input, -1);
        let step = self.graph.sub(a, before);
        let product = self.graph.mul(a_minus_s, step);
        self.require_in(Source::Active, product);
    }

    fn starts_with_one(&mut self, product: Source) {
        let (one, z) = (self.graph.constant(Fr::ONE), self.graph.column(product, 0));
        let difference = self.graph.sub(one, z);
        self.require_in(Source::First, difference);
    }

    fn ends_with_bit(&mut self, product: Source) {
        let z = self.graph.column(product, 0);
        let square = self.graph.mul(z, z);
        let difference = self.graph.sub(square, z);
        self.require_in(Source::Last, difference);
    }
}
