//! All constraints as one program or several, by powers of y: the numerator of the quotient polynomial on a coset.
//!
//! The order is that of halo2's `Evaluator::evaluate_h`: gates, then the permutation, then lookups.

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Expression, Gate},
};
use zkaccel::Context;

use crate::{
    error::Result,
    key::Shape,
    program::{
        Compiled, Scalar, Source,
        calculation::Value,
        graph::Graph,
        lookup::{compress, pair},
        permutation::{identity_factor, sigma_factor},
    },
};

/// The constraints in as many programs as it takes. Each continues what the output had before: the constraints of the program
/// before it, or of another circuit.
pub(crate) fn quotient_programs(
    context: &Context,
    shape: &Shape,
    columns_max: usize,
) -> Result<Vec<Compiled>> {
    let mut programs = Vec::new();
    let mut now = Constraints::new(shape.rows);
    for constraint in constraints(shape) {
        let before = (columns_max < usize::MAX && !now.is_empty()).then(|| now.clone());
        now.add(shape, &constraint);
        if let Some(before) = before
            && now.graph.columns() > columns_max
        {
            programs.push(before.compile(context)?);
            now = Constraints::new(shape.rows);
            now.add(shape, &constraint);
        }
    }
    programs.push(now.compile(context)?);
    Ok(programs)
}

/// One constraint, or a few of the same columns.
enum Constraint<'a> {
    Gate(&'a Expression<Fr>),
    FirstSet,
    LastSet(usize),
    NextSet(usize),
    Set(usize),
    Lookup(usize),
}

fn constraints(shape: &Shape) -> Vec<Constraint<'_>> {
    let gates = shape.system.gates().iter().flat_map(Gate::polynomials).map(Constraint::Gate);
    let sets = shape.sets.len();
    let ends =
        sets.checked_sub(1).into_iter().flat_map(|last| [Constraint::FirstSet, Constraint::LastSet(last)]);
    let permutation = ends.chain((1..sets).map(Constraint::NextSet)).chain((0..sets).map(Constraint::Set));
    let lookups = (0..shape.system.lookups().len()).map(Constraint::Lookup);
    gates.chain(permutation).chain(lookups).collect()
}

#[derive(Clone)]
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

    fn is_empty(&self) -> bool {
        self.sum == Value::Previous
    }

    fn compile(self, context: &Context) -> Result<Compiled> {
        self.graph.compile(context, self.sum)
    }

    fn add(&mut self, shape: &Shape, constraint: &Constraint<'_>) {
        match *constraint {
            Constraint::Gate(polynomial) => {
                let value = self.graph.expression(polynomial);
                self.require(value);
            }
            // l_0 * (1 - z_0) = 0
            Constraint::FirstSet => self.starts_with_one(Source::SetProduct(0)),
            // l_last * (z_l^2 - z_l) = 0
            Constraint::LastSet(last) => self.ends_with_bit(Source::SetProduct(last)),
            // l_0 * (z_i - z_(i-1)(omega^last X)) = 0
            Constraint::NextSet(set) => {
                let z = self.graph.column(Source::SetProduct(set), 0);
                let before = self.graph.column(Source::SetProduct(set - 1), shape.last_rotation());
                let difference = self.graph.sub(z, before);
                self.require_in(Source::First, difference);
            }
            Constraint::Set(set) => {
                let first = shape.sets.iter().take(set).map(Vec::len).sum();
                self.permutation(set, &shape.sets[set], first);
            }
            Constraint::Lookup(at) => {
                let lookup = &shape.system.lookups()[at];
                let input = compress(&mut self.graph, lookup.input_expressions());
                let table = compress(&mut self.graph, lookup.table_expressions());
                let table_value = pair(&mut self.graph, input, table);
                self.lookup(at, table_value);
            }
        }
    }

    /// l_active * (z_i(omega X) prod (p + beta s_j + gamma) - z_i prod (p + delta^j beta X + gamma)) = 0
    fn permutation(&mut self, set: usize, columns: &[Source], first: usize) {
        let mut left = self.graph.column(Source::SetProduct(set), 1);
        let mut right = self.graph.column(Source::SetProduct(set), 0);
        for (j, &column) in (first..).zip(columns) {
            let factor = sigma_factor(&mut self.graph, column, j);
            left = self.graph.mul(left, factor);
            let factor = identity_factor(&mut self.graph, column, j);
            right = self.graph.mul(right, factor);
        }
        let difference = self.graph.sub(left, right);
        self.require_in(Source::Active, difference);
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
