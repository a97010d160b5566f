//! The prover of a sum-check.

use halo2curves::ff::{FromUniformBytes, PrimeField};

use super::claim::{Claim, combine, rounds_and_degree};
use super::univariate::{Interpolation, evaluate};
use super::weight::RunningWeight;
use super::{Error, Instance, Proof, Reduced, Summand, Table, round};
use crate::snark::transcript::Transcript;

/// A sum-check and what its prover learns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved<F> {
    /// What is sent.
    pub proof: Proof<F>,
    /// What the verifier comes down to.
    pub reduced: Reduced<F>,
    /// For each sum, the values of its polynomials at its point.
    pub inputs: Vec<Vec<F>>,
}

/// Proves the sums of all `instances`.
///
/// # Errors
///
/// [`Error`] for sums that are none, too large, or not in the shape of their tables.
pub fn prove<F: FromUniformBytes<64>>(
    transcript: &mut Transcript,
    instances: Vec<Instance<'_, F>>,
) -> Result<Proved<F>, Error> {
    let claims = instances.iter().map(Instance::claim).collect::<Result<Vec<_>, _>>()?;
    let (rounds, degree) = rounds_and_degree(&claims)?;
    if instances.iter().any(|instance| instance.summand.degree() == 0) {
        return Err(Error::Degree { found: 0, most: super::DEGREE_MAX });
    }
    let coefficients = combine(transcript, &claims);
    let mut sums: Vec<_> = instances
        .into_iter()
        .zip(&claims)
        .map(|(instance, claim)| Running::new(instance, claim, rounds))
        .collect();
    let mut proof = Proof { degree, coefficients: Vec::with_capacity(rounds * degree) };
    let mut reduced = Reduced { point: Vec::with_capacity(rounds), value: F::ZERO, coefficients };
    for index in 0..rounds {
        let mut message = vec![F::ZERO; degree + 1];
        for (sum, factor) in sums.iter_mut().zip(&reduced.coefficients) {
            sum.start_round(index);
            message.iter_mut().zip(&sum.message).for_each(|(all, own)| *all += *factor * own);
        }
        message.remove(1);
        transcript.absorb_scalars(b"sum-check round", &message);
        proof.coefficients.extend(message);
        let r = transcript.challenge(b"sum-check point");
        sums.iter_mut().for_each(|sum| sum.end_round(index, &r));
        reduced.point.push(r);
    }
    reduced.value = sums.iter().zip(&reduced.coefficients).map(|(sum, factor)| sum.claim * factor).sum();
    let inputs = sums.into_iter().map(|sum| sum.table.values().to_vec()).collect();
    Ok(Proved { proof, reduced, inputs })
}

/// One sum during the rounds.
pub(super) struct Running<'a, F> {
    pub(super) table: Table<F>,
    pub(super) summand: &'a dyn Summand<F>,
    pub(super) weight: Option<RunningWeight<'a, F>>,
    interpolation: Interpolation<F>,
    /// The first round that binds a variable of this sum.
    start: usize,
    claim: F,
    /// This round's polynomial, all coefficients.
    pub(super) message: Vec<F>,
}

impl<'a, F: PrimeField> Running<'a, F> {
    pub(super) fn new(instance: Instance<'a, F>, claim: &Claim<F>, rounds: usize) -> Self {
        let start = rounds - claim.variables;
        Self {
            weight: instance.weight.map(RunningWeight::new),
            interpolation: Interpolation::new(instance.summand.degree()),
            table: instance.table,
            summand: instance.summand,
            start,
            claim: claim.sum * power_of_two::<F>(start),
            message: Vec::new(),
        }
    }

    pub(super) fn start_round(&mut self, index: usize) {
        self.message = if index < self.start {
            // The sum does not depend on this variable: its two halves are the same.
            vec![self.claim * F::TWO_INV]
        } else {
            self.polynomial()
        };
    }

    pub(super) fn end_round(&mut self, index: usize, r: &F) {
        self.claim = evaluate(&self.message, r);
        if index >= self.start {
            self.table.bind_first(r);
            if let Some(weight) = &mut self.weight {
                weight.bind(r);
            }
        }
    }

    fn polynomial(&self) -> Vec<F> {
        let Some(weight) = &self.weight else {
            let mut values = round::values(&self.table, self.summand, None, false);
            values[1] = self.claim - values[0];
            return self.interpolation.coefficients(&values);
        };
        // s(X) = (a (1 - X) + b X) t(X), and s(0) + s(1) is known, so t(1) follows from t(0) unless b is zero.
        let [a, b] = weight.current();
        let b_inverse = Option::<F>::from(b.invert());
        let mut values = round::values(&self.table, self.summand, Some(weight.rest()), b_inverse.is_none());
        if let Some(b_inverse) = b_inverse {
            values[1] = (self.claim - a * values[0]) * b_inverse;
        }
        let t = self.interpolation.coefficients(&values);
        let mut s = vec![F::ZERO; t.len() + 1];
        for (i, c) in t.iter().enumerate() {
            s[i] += a * c;
            s[i + 1] += (b - a) * c;
        }
        s
    }
}

pub(super) fn power_of_two<F: PrimeField>(exponent: usize) -> F {
    (0..exponent).fold(F::ONE, |power, _| power.double())
}
