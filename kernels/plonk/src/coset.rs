//! The quotient polynomial from its values on a few cosets of the domain.
//!
//! With n rows and constraints of degree d, the quotient has d - 1 pieces of n coefficients. halo2 evaluates the constraints on
//! an extended domain, whose size is a power of two; here they are evaluated on d - 1 cosets of n points, which are enough. On
//! the coset of shift s the polynomial is known modulo X^n - s^n: the sum of its pieces h_p by (s^n)^p. The pieces come from
//! these sums by the inverse of a matrix of powers, and the division by X^n - 1 is one by s^n - 1 there.

use halo2_axiom::halo2curves::{bn256::Fr, ff::Field};
use zkaccel::{Buffer, Context, Domain, Transform};

use crate::{
    engine::Engine,
    error::Result,
    program::{Compiled, Scalar, Source},
    secret::SecretColumn,
};

/// One coset of the domain.
#[derive(Debug)]
pub(crate) struct Coset {
    pub(crate) shift: Fr,
    pub(crate) domain: Domain,
    /// Columns that are the same in all proofs, by their values here.
    pub(crate) resident: Vec<(Source, Buffer<Fr>)>,
}

impl Coset {
    pub(crate) fn new(context: &Context, k: u32, omega: Fr, shift: Fr) -> Result<Self> {
        Ok(Self { shift, domain: Domain::with_roots(context, k, k, omega, shift)?, resident: Vec::new() })
    }

    pub(crate) fn resident(&self, source: Source) -> Option<&Buffer<Fr>> {
        self.resident.iter().find_map(|(known, column)| (*known == source).then_some(column))
    }

    /// Values on the coset to coefficients modulo X^n - shift^n, in place.
    pub(crate) fn interpolate(&self, engine: &Engine<'_>, column: &mut Buffer<Fr>) -> Result<()> {
        engine.ntt(&self.domain, &mut [column], Transform::INVERSE.on_coset())
    }
}

/// How the pieces come from what is known on the cosets.
#[derive(Debug)]
pub(crate) struct Recombination {
    /// For each piece the factor of each coset.
    factors: Vec<Vec<Fr>>,
}

impl Recombination {
    pub(crate) fn new(rows: usize, shifts: &[Fr]) -> Self {
        let powers: Vec<Fr> = shifts.iter().map(|shift| shift.pow_vartime([rows as u64])).collect();
        let mut factors = inverse_of_powers(&powers);
        for piece in &mut factors {
            for (factor, power) in piece.iter_mut().zip(&powers) {
                *factor *= (*power - Fr::ONE).invert().unwrap_or(Fr::ZERO);
            }
        }
        Self { factors }
    }

    /// The pieces of the quotient, from the interpolated numerators of all cosets, by a program that combines as many parts.
    pub(crate) fn pieces(
        &self,
        engine: &Engine<'_>,
        program: &Compiled,
        parts: &[SecretColumn],
    ) -> Result<Vec<SecretColumn>> {
        let rows = parts.first().map_or(0, |part| part.len());
        self.factors
            .iter()
            .map(|factors| {
                let mut piece = SecretColumn::new(engine.context(), rows)?;
                let column = |source| match source {
                    Source::Part(part) => &*parts[part],
                    _ => unreachable!("the program combines parts alone"),
                };
                let factor = |scalar| match scalar {
                    Scalar::Factor(part) => factors[part],
                    _ => unreachable!("the program combines parts alone"),
                };
                program.run(engine, column, factor, &mut piece)?;
                Ok(piece)
            })
            .collect()
    }
}

/// The inverse of the matrix whose row j has the powers of `points[j]`: in its column j are the coefficients of the polynomial
/// that is 1 at point j and 0 at the others.
fn inverse_of_powers(points: &[Fr]) -> Vec<Vec<Fr>> {
    let n = points.len();
    let mut inverse = vec![vec![Fr::ZERO; n]; n];
    for (j, point) in points.iter().enumerate() {
        let mut poly = vec![Fr::ONE];
        for (_, other) in points.iter().enumerate().filter(|&(at, _)| at != j) {
            let scale = (*point - other).invert().unwrap_or(Fr::ZERO);
            // Times (X - other) * scale.
            let mut next = vec![Fr::ZERO; poly.len() + 1];
            for (at, coefficient) in poly.iter().enumerate() {
                next[at + 1] += *coefficient * scale;
                next[at] -= *coefficient * scale * other;
            }
            poly = next;
        }
        for (row, coefficient) in inverse.iter_mut().zip(poly) {
            row[j] = coefficient;
        }
    }
    inverse
}
