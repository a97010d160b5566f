//! The verifier of a fold in a circuit over the scalars: all but the commitments, which are of the other field.
//!
//! For one incoming instance. What [`super::verify`] does to scalars, row by row.

use halo2curves::ff::PrimeField;

use super::Proof;
use crate::circuit::{Circuit, Linear};
use crate::gadgets::Short;
use crate::poseidon::{CircuitOracle, InCircuit, Transcript as _};

/// What is folded of an accumulator, commitments aside.
#[derive(Clone, Debug)]
pub struct Scalars<F> {
    /// Public inputs.
    pub publics: Vec<Linear<F>>,
    /// Challenges.
    pub challenges: Vec<Linear<F>>,
    /// The `β_j`.
    pub betas: Vec<Linear<F>>,
    /// The error `e`.
    pub error: Linear<F>,
}

/// The folded scalars, and `γ`, with which commitments are to be folded: `C + γ (C_1 - C)`. The transcript must have
/// absorbed the accumulator and the instance, whose public inputs and challenges are given.
pub fn fold<F: PrimeField>(
    transcript: &mut InCircuit<'_, F, impl CircuitOracle<F>>,
    accumulator: &Scalars<F>,
    (publics, challenges): (&[Linear<F>], &[Linear<F>]),
    proof: &Proof<F>,
) -> (Scalars<F>, Short<F>) {
    let delta = transcript.squeeze();
    let deltas = squarings(transcript.circuit, &delta, accumulator.betas.len());
    let perturbator: Vec<_> =
        proof.perturbator.iter().map(|value| transcript.circuit.witness(*value)).collect();
    transcript.absorb_all(&perturbator);
    let alpha = transcript.squeeze();

    let circuit = &mut *transcript.circuit;
    // F(0) is the accumulator's error: nothing that the prover sends.
    let moved = horner(circuit, &perturbator, &alpha);
    let claim = &accumulator.error + &circuit.product(&alpha, &moved);
    let betas: Vec<_> = accumulator
        .betas
        .iter()
        .zip(&deltas)
        .map(|(beta, delta)| circuit.product(&alpha, delta) + beta)
        .collect();
    let quotient: Vec<_> = proof.quotient.iter().map(|value| circuit.witness(*value)).collect();
    transcript.absorb_all(&quotient);
    let squeezed = transcript.squeeze();

    let circuit = &mut *transcript.circuit;
    let gamma = Short::low_bits(circuit, &squeezed);
    let value = &gamma.value;
    let vanishing = circuit.product(value, &(value - &Linear::one()));
    let at_gamma = horner(circuit, &quotient, value);
    let error = circuit.product(&claim, &(&Linear::one() - value)) + circuit.product(&vanishing, &at_gamma);
    let mut folded = |old: &[Linear<F>], new: &[Linear<F>]| -> Vec<_> {
        old.iter().zip(new).map(|(old, new)| circuit.choose(value, new, old)).collect()
    };
    let publics = folded(&accumulator.publics, publics);
    let challenges = folded(&accumulator.challenges, challenges);
    (Scalars { publics, challenges, betas, error }, gamma)
}

/// The powers `x^(2^j)` for `j < count`.
pub fn squarings<F: PrimeField>(circuit: &mut Circuit<F>, x: &Linear<F>, count: usize) -> Vec<Linear<F>> {
    let mut powers = vec![x.clone()];
    while powers.len() < count {
        let last = &powers[powers.len() - 1];
        powers.push(circuit.product(last, last));
    }
    powers.truncate(count);
    powers
}

/// The value of a polynomial, given by its coefficients from the constant on.
fn horner<F: PrimeField>(circuit: &mut Circuit<F>, coefficients: &[Linear<F>], x: &Linear<F>) -> Linear<F> {
    let mut coefficients = coefficients.iter().rev();
    let Some(first) = coefficients.next() else { return Linear::zero() };
    coefficients.fold(first.clone(), |value, coefficient| circuit.product(&value, x) + coefficient)
}

#[cfg(test)]
mod tests;
