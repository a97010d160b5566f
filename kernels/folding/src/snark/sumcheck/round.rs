//! The work of a round: `g` at a few points of each line between two rows.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::instance::{Summand, Table};

/// Rows that one thread takes at a time, some 100 µs of work.
const ROWS: usize = 256;

/// The values at 0, 1, …, d of `t(X) = Σ_x rest(x) g(p(X, x))`, where `d` is the degree of `g` and `X` the first
/// variable. The value at 1 is left zero unless `at_one`. `rest` is as in
/// [`RunningWeight::rest`](super::weight::RunningWeight::rest); without it every row counts once.
pub(super) fn values<F: PrimeField>(
    table: &Table<F>,
    summand: &dyn Summand<F>,
    rest: Option<(&[F], &[F])>,
    at_one: bool,
) -> Vec<F> {
    let width = table.width();
    let degree = summand.degree();
    let (zeros, ones) = table.halves();
    // A chunk of rows stays within one entry of the outer table: both lengths are powers of two.
    let rows = rest.map_or(ROWS, |(_, inner)| inner.len().min(ROWS));
    let chunk_values = |(chunk, (zeros, ones)): (usize, (&[F], &[F]))| {
        let mut line = Line::new(width, summand, at_one);
        let Some((outer, inner)) = rest else {
            for (zero, one) in zeros.chunks_exact(width).zip(ones.chunks_exact(width)) {
                line.add(zero, one, None);
            }
            return line.sums;
        };
        let first = chunk * rows;
        let weights = &inner[first % inner.len()..];
        for ((zero, one), weight) in zeros.chunks_exact(width).zip(ones.chunks_exact(width)).zip(weights) {
            line.add(zero, one, Some(weight));
        }
        let outer = outer[first / inner.len()];
        line.sums.iter_mut().for_each(|sum| *sum *= outer);
        line.sums
    };
    let size = rows * width;
    if zeros.len() <= size {
        return chunk_values((0, (zeros, ones)));
    }
    let add = |mut left: Vec<F>, right: Vec<F>| {
        left.iter_mut().zip(&right).for_each(|(left, right)| *left += right);
        left
    };
    zeros
        .par_chunks(size)
        .zip(ones.par_chunks(size))
        .enumerate()
        .map(chunk_values)
        .reduce(|| vec![F::ZERO; degree + 1], add)
}

/// Sums of `g` along the lines through pairs of rows.
struct Line<'a, F> {
    summand: &'a dyn Summand<F>,
    at_one: bool,
    sums: Vec<F>,
    difference: Vec<F>,
    row: Vec<F>,
    scratch: Vec<F>,
}

impl<'a, F: PrimeField> Line<'a, F> {
    fn new(width: usize, summand: &'a dyn Summand<F>, at_one: bool) -> Self {
        let zeros = |length| vec![F::ZERO; length];
        Self {
            summand,
            at_one,
            sums: zeros(summand.degree() + 1),
            difference: zeros(width),
            row: zeros(width),
            scratch: zeros(summand.scratch()),
        }
    }

    /// Adds `weight · g` at 0, 1, …, d of the line with `zero` at 0 and `one` at 1.
    fn add(&mut self, zero: &[F], one: &[F], weight: Option<&F>) {
        let weighted = |value: F| weight.map_or(value, |weight| value * weight);
        self.sums[0] += weighted(self.summand.evaluate(zero, &mut self.scratch));
        if self.at_one {
            self.sums[1] += weighted(self.summand.evaluate(one, &mut self.scratch));
        }
        if self.sums.len() <= 2 {
            return;
        }
        for ((difference, row), (zero, one)) in
            self.difference.iter_mut().zip(&mut self.row).zip(zero.iter().zip(one))
        {
            *difference = *one - zero;
            *row = *one;
        }
        for sum in &mut self.sums[2..] {
            self.row.iter_mut().zip(&self.difference).for_each(|(row, difference)| *row += difference);
            *sum += weighted(self.summand.evaluate(&self.row, &mut self.scratch));
        }
    }
}
