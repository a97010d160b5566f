//! Polynomials of a circuit's author, over cells relative to a row, and the rows they are specialised to.

use std::collections::HashMap;

use halo2curves::ff::PrimeField;
use midnight_proofs::plonk;

use super::cell::{Lane, Query};
use super::cells::Cells;
use super::error::Error;
use super::layouter::refuse_instance;
use super::operand::{Constants, Operand};
use super::shape::Rows;
use crate::relation::Expression;

/// Polynomials over cells relative to a row.
#[derive(Debug)]
pub(super) struct Template<F> {
    pub(super) expressions: Vec<Expression<F>>,
    /// For each input of the polynomials, the cell it is.
    pub(super) queries: Vec<Query>,
}

impl<F: PrimeField> Template<F> {
    pub(super) fn new<'a>(
        expressions: impl IntoIterator<Item = &'a plonk::Expression<F>>,
    ) -> Result<Self, Error> {
        let mut template = Self { expressions: Vec::new(), queries: Vec::new() };
        for expression in expressions {
            let expression = template.translate(expression)?;
            template.expressions.push(expression);
        }
        Ok(template)
    }

    /// One more polynomial, times a selector: its product takes the place of the polynomial.
    pub(super) fn select(&mut self, selector: &plonk::Expression<F>) -> Result<(), Error> {
        let selector = self.translate(selector)?;
        for expression in &mut self.expressions {
            *expression = selector.clone() * expression.clone();
        }
        Ok(())
    }

    fn translate(&mut self, expression: &plonk::Expression<F>) -> Result<Expression<F>, Error> {
        Ok(match expression {
            plonk::Expression::Constant(value) => Expression::Constant(*value),
            plonk::Expression::Selector(selector) => self.input(Lane::Selector, selector.index(), 0),
            plonk::Expression::Fixed(query) => {
                self.input(Lane::Fixed, query.column_index(), query.rotation().0)
            }
            plonk::Expression::Advice(query) => {
                self.input(Lane::Advice, query.column_index(), query.rotation().0)
            }
            plonk::Expression::Instance(_) => refuse_instance(),
            plonk::Expression::Challenge(_) => return Err(Error::Challenges),
            plonk::Expression::Negated(of) => -self.translate(of)?,
            plonk::Expression::Sum(left, right) => self.translate(left)? + self.translate(right)?,
            plonk::Expression::Product(left, right) => self.translate(left)? * self.translate(right)?,
            plonk::Expression::Scaled(of, by) => self.translate(of)? * *by,
        })
    }

    fn input(&mut self, lane: impl Fn(u32) -> Lane, index: usize, rotation: i32) -> Expression<F> {
        let query = Query { lane: lane(u32::try_from(index).unwrap_or(u32::MAX)), rotation };
        let known = self.queries.iter().position(|other| *other == query);
        Expression::Input(known.unwrap_or_else(|| {
            self.queries.push(query);
            self.queries.len() - 1
        }))
    }

    /// Values of the inputs at a row, as far as they are constants, written over `known`.
    pub(super) fn known_at(&self, row: u32, cells: &Cells<'_, F>, known: &mut Vec<Option<F>>) {
        known.clear();
        known.extend(self.queries.iter().map(|query| match cells.at(*query, row) {
            Operand::Constant(value) => Some(value),
            Operand::Variable(_) => None,
        }));
    }

    /// Which selectors among the inputs are on, given the values at a row.
    pub(super) fn enabled(&self, known: &[Option<F>]) -> Vec<bool> {
        let selectors =
            self.queries.iter().zip(known).filter(|(query, _)| matches!(query.lane, Lane::Selector(_)));
        selectors.map(|(_, value)| value.is_some_and(|value| !value.is_zero_vartime())).collect()
    }

    /// The polynomials `chosen` at these rows, with what is the same constant in all of them put in.
    ///
    /// Returns them, their degree, and the rows with the inputs that are left.
    pub(super) fn specialise(
        &self,
        chosen: &[bool],
        origins: Vec<u32>,
        cells: &Cells<'_, F>,
        constants: &mut Constants<F>,
    ) -> (Vec<Expression<F>>, usize, Rows) {
        let shared: Vec<Option<F>> =
            self.queries.iter().map(|query| shared(*query, &origins, cells)).collect();
        let with = |input: usize| shared[input].map_or(Expression::Input(input), Expression::Constant);
        let chosen = self.expressions.iter().zip(chosen).filter(|(_, chosen)| **chosen);
        let expressions: Vec<Expression<F>> =
            chosen.map(|(expression, _)| expression.replace(&with)).collect();

        let mut left: HashMap<usize, usize> = HashMap::new();
        let mut queries = Vec::new();
        for expression in &expressions {
            expression.visit_inputs(&mut |input| {
                left.entry(input).or_insert_with(|| {
                    queries.push(self.queries[input]);
                    queries.len() - 1
                });
            });
        }
        let expressions: Vec<Expression<F>> = expressions
            .iter()
            .map(|expression| expression.replace(&|input| Expression::Input(left[&input])))
            .collect();

        // 1 for an input that is a variable in some row.
        let mut varies = vec![0; queries.len()];
        let mut operands = Vec::with_capacity(queries.len() * origins.len());
        for row in &origins {
            for (query, varies) in queries.iter().zip(&mut varies) {
                let operand = cells.at(*query, *row);
                *varies |= usize::from(matches!(operand, Operand::Variable(_)));
                operands.push(constants.intern(operand));
            }
        }
        let degree = expressions.iter().map(|expression| expression.degree(&varies)).max();
        (expressions, degree.unwrap_or(0), Rows { inputs: queries.len(), operands, origins, queries })
    }
}

/// The constant that a query means in all of these rows.
fn shared<F: PrimeField>(query: Query, rows: &[u32], cells: &Cells<'_, F>) -> Option<F> {
    let mut rows = rows.iter().map(|row| match cells.at(query, *row) {
        Operand::Constant(value) => Some(value),
        Operand::Variable(_) => None,
    });
    let first = rows.next().flatten()?;
    rows.all(|value| value == Some(first)).then_some(first)
}

/// Rows put together by a key, in the order in which keys were met.
#[derive(Debug)]
pub(super) struct Grouped<K> {
    numbers: HashMap<K, usize>,
    pub(super) groups: Vec<(K, Vec<u32>)>,
}

impl<K: Clone + Eq + std::hash::Hash> Grouped<K> {
    pub(super) fn new() -> Self {
        Self { numbers: HashMap::new(), groups: Vec::new() }
    }

    pub(super) fn add(&mut self, key: K, row: u32) {
        let number = *self.numbers.entry(key.clone()).or_insert(self.groups.len());
        if number == self.groups.len() {
            self.groups.push((key, Vec::new()));
        }
        self.groups[number].1.push(row);
    }
}
