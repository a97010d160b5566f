//! The combiner `G(X) = Σ_i pow_i(β*) f_i(Σ_j L_j(X) z_j)` and its quotient
//! `K(X) = (G(X) - F(α) L_0(X)) / Z(X)` (ProtoGalaxy, section 4, steps 8 to 10).
//!
//! `G` is 0 at `1..=L`, where satisfying vectors are, and known at 0. A group of degree `d` adds a polynomial of degree
//! `d L`: it is evaluated at no more points than that takes, and extended from there. From one point to the next, inputs
//! change by finite differences: additions, no products.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::domain::Domain;
use super::weights::Weights;
use crate::polynomial::{interpolate, lagrange_at};
use crate::relation::{CHUNK, Group, Registers, Relation};

/// The coefficients of `K`, from the constant on: `Domain::quotient_len` of them.
///
/// `vectors` holds the accumulator's vector and then the incoming ones; `values` the constraints' values at the
/// accumulator's. Incoming vectors are taken to satisfy the relation: for others the result is no quotient, and what is
/// folded with it is refused in the end.
#[must_use]
pub(super) fn quotient<F: PrimeField>(
    relation: &Relation<F>,
    vectors: &[&[F]],
    values: &[F],
    weights: &Weights<F>,
) -> Vec<F> {
    let domain = Domain::new(vectors.len() - 1);
    let (degree, incoming) = (relation.degree(), domain.incoming());
    let points = domain.quotient_len(degree);
    let mut sums = vec![F::ZERO; points];
    let mut at_zero = F::ZERO;
    for (first, group) in relation.numbered_groups() {
        let own = at_accumulator(&values[first..first + group.numbers()], first, weights);
        at_zero += own;
        let evaluated = beyond_domain(group, first, vectors, weights);
        extend(own, incoming, &evaluated, &mut sums);
    }
    for (index, sum) in sums.iter_mut().enumerate() {
        let x = F::from((incoming + 1 + index) as u64);
        let vanishing = domain.vanishing(x).invert().expect("points beyond the domain are no roots");
        *sum = (*sum - at_zero * domain.lagrange(x)[0]) * vanishing;
    }
    interpolate(incoming + 1, &sums)
}

/// A group's part of `G(0)`.
fn at_accumulator<F: PrimeField>(values: &[F], first: usize, weights: &Weights<F>) -> F {
    let weighted = values.par_iter().with_min_len(1 << 10).enumerate();
    weighted.map(|(index, value)| weights.get(first + index) * value).sum()
}

/// A group's part of `G` at `L + 1, .., d L` for the group's own degree `d`.
fn beyond_domain<F: PrimeField>(
    group: &Group<F>,
    first: usize,
    vectors: &[&[F]],
    weights: &Weights<F>,
) -> Vec<F> {
    let incoming = vectors.len() - 1;
    let points = Domain::new(incoming).quotient_len(group.degree());
    let none = || vec![F::ZERO; points];
    if points == 0 {
        return none();
    }
    let chunks: Vec<_> = group.chunks().collect();
    let sums = chunks.par_iter().with_min_len(4).fold(
        || (none(), Scratch::new(group, vectors.len())),
        |(mut sums, mut scratch), rows| {
            scratch.gather(group, rows.clone(), vectors);
            let weight = |output: usize| first + output * group.stride() + rows.start;
            let weights: Vec<[F; CHUNK]> = (0..group.program().outputs())
                .map(|output| {
                    std::array::from_fn(|row| {
                        if row < rows.len() { weights.get(weight(output) + row) } else { F::ZERO }
                    })
                })
                .collect();
            for sum in &mut sums {
                scratch.advance();
                group.program().evaluate(&scratch.differences[0], &mut scratch.registers);
                for (output, weights) in weights.iter().enumerate() {
                    let values = group.program().output(output, &scratch.registers);
                    *sum += weights.iter().zip(values).map(|(weight, value)| *weight * value).sum::<F>();
                }
            }
            (sums, scratch)
        },
    );
    sums.map(|(sums, _)| sums).reduce(none, |mut left, right| {
        for (left, right) in left.iter_mut().zip(right) {
            *left += right;
        }
        left
    })
}

/// One thread's inputs at the current point: their finite differences, by order, then input.
struct Scratch<F> {
    differences: Vec<Vec<[F; CHUNK]>>,
    registers: Registers<F>,
}

impl<F: PrimeField> Scratch<F> {
    fn new(group: &Group<F>, vectors: usize) -> Self {
        let inputs = vec![[F::ZERO; CHUNK]; group.inputs().len()];
        Self { differences: vec![inputs; vectors], registers: Registers::new() }
    }

    /// Takes the inputs of all vectors, and their backward differences at the last: `Δ^k` at `X = L`.
    fn gather(&mut self, group: &Group<F>, rows: std::ops::Range<usize>, vectors: &[&[F]]) {
        let last = vectors.len() - 1;
        for (number, input) in group.inputs().iter().enumerate() {
            for (vector, values) in vectors.iter().zip(self.differences.iter_mut().rev()) {
                input.gather(rows.clone(), vector, &mut values[number]);
            }
            // Order k holds X = L - k before, and the k-th backward difference after.
            for order in 1..=last {
                for higher in (order..=last).rev() {
                    let (lower, rest) = self.differences.split_at_mut(higher);
                    subtract(&lower[higher - 1][number], &mut rest[0][number]);
                }
            }
        }
    }

    /// Goes to the next point.
    fn advance(&mut self) {
        for order in (1..self.differences.len()).rev() {
            let (lower, rest) = self.differences.split_at_mut(order);
            for (target, difference) in lower[order - 1].iter_mut().zip(&rest[0]) {
                for (target, difference) in target.iter_mut().zip(difference) {
                    *target += difference;
                }
            }
        }
    }
}

/// `value = other - value`.
fn subtract<F: PrimeField>(other: &[F; CHUNK], value: &mut [F; CHUNK]) {
    for (value, other) in value.iter_mut().zip(other) {
        *value = *other - *value;
    }
}

/// Adds a group's part at all points `L + 1, ..`: what was evaluated, and beyond it by its degree.
fn extend<F: PrimeField>(at_zero: F, incoming: usize, evaluated: &[F], sums: &mut [F]) {
    let known = incoming + 1 + evaluated.len();
    for (index, sum) in sums.iter_mut().enumerate() {
        *sum += match evaluated.get(index) {
            Some(value) => *value,
            None => {
                let basis = lagrange_at(known, F::from((incoming + 1 + index) as u64));
                let beyond = basis[incoming + 1..].iter().zip(evaluated);
                at_zero * basis[0] + beyond.map(|(basis, value)| *basis * value).sum::<F>()
            }
        };
    }
}
