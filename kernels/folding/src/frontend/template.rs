//! Polynomials of a circuit's author, over cells relative to a row, and the rows they are specialised to.

use std::collections::HashMap;
use std::hash::Hash;

use halo2curves::ff::PrimeField;
use midnight_proofs::plonk;
use rayon::prelude::*;

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

/// Rows grouped by how `setting` finds them set, in the order in which settings are met; without the rows of which it
/// returns none. It is lent a buffer for what is known of a row.
pub(super) fn group_rows<F: PrimeField, K: Clone + Eq + Hash + Send>(
    rows: u32,
    setting: impl Fn(u32, &mut Vec<Option<F>>) -> Option<Result<K, Error>> + Sync,
) -> Result<Vec<(K, Vec<u32>)>, Error> {
    let settings: Vec<(u32, Result<K, Error>)> = (0..rows)
        .into_par_iter()
        .with_min_len(1024)
        .map_init(Vec::new, |known, row| setting(row, known).map(|setting| (row, setting)))
        .flatten_iter()
        .collect();
    let mut numbers = HashMap::new();
    let mut groups: Vec<(K, Vec<u32>)> = Vec::new();
    for (row, setting) in settings {
        let setting = setting?;
        let number = *numbers.entry(setting.clone()).or_insert(groups.len());
        if number == groups.len() {
            groups.push((setting, Vec::new()));
        }
        groups[number].1.push(row);
    }
    Ok(groups)
}
