//! The prover of an opening.

use halo2curves::bn256::{Fr, G1, G1Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use rayon::prelude::*;

use super::division::{by_linear, by_square};
use super::statement::{powers, squares};
use super::{Error, Proof, Statement};
use crate::acceleration::msm;
use crate::snark::multilinear::{PARALLEL_CHUNK, fold_last};
use crate::snark::transcript::Transcript;

/// Opens `polynomials`, each by its values on the hypercube (which may end early, in zeros), under the key
/// `powers_of_tau = ([1]_1, [τ]_1, [τ^2]_1, …)`. A statement that does not hold gives a proof that is refused.
///
/// # Errors
///
/// [`Error`] for a statement that has no opening: of another number of polynomials, of longer ones, of points off the
/// curve; and for a key of less than `2^n` powers.
pub fn prove(
    powers_of_tau: &[G1Affine],
    transcript: &mut Transcript,
    statement: &Statement<'_>,
    polynomials: &[&[Fr]],
) -> Result<Proof, Error> {
    if polynomials.len() != statement.commitments.len() {
        let commitments = statement.commitments.len();
        return Err(Error::Claims { commitments, found: polynomials.len() });
    }
    let factors = statement.combine(transcript)?;
    let length = 1 << statement.point.len();
    if let Some(long) = polynomials.iter().find(|polynomial| polynomial.len() > length) {
        return Err(Error::PolynomialLength { values: long.len(), most: length });
    }
    if powers_of_tau.len() < length {
        return Err(Error::KeyLength { found: powers_of_tau.len(), needed: length });
    }
    let polynomials = all_folds(combined(polynomials, &factors, length), statement.point);
    let folds = commit_all(powers_of_tau, &polynomials[1..]);

    transcript.absorb_points(b"hyperkzg folds", &folds);
    let r = transcript.challenge(b"hyperkzg fold point");
    let squares = squares(r, polynomials.len());
    let (quotients, remainders): (Vec<_>, Vec<_>) = polynomials
        .par_iter()
        .zip(&squares)
        .map(|(polynomial, square)| by_square(polynomial, square))
        .unzip();
    let differences: Vec<Fr> = remainders.iter().map(|[even, odd]| odd - even).collect();

    transcript.absorb_scalars(b"hyperkzg differences", &differences);
    let batch: Fr = transcript.challenge(b"hyperkzg batch");
    let mut rest = quotients.into_iter();
    let mut quotient = rest.next().unwrap_or_default();
    for (other, weight) in rest.zip(&powers(batch, polynomials.len())[1..]) {
        add_scaled(&mut quotient, &other, weight);
    }
    let quotient_commitment = commit(powers_of_tau, &quotient).to_affine();

    transcript.absorb_point(b"hyperkzg quotient", &quotient_commitment);
    let z: Fr = transcript.challenge(b"hyperkzg batch point");
    let scales = super::verify::scales(batch, &squares, z)?;
    quotient.resize(length, Fr::ZERO);
    for (polynomial, scale) in polynomials.iter().zip(&scales) {
        add_scaled(&mut quotient, polynomial, &-scale);
    }
    let witness = commit(powers_of_tau, &by_linear(&quotient, &z)).to_affine();
    transcript.absorb_point(b"hyperkzg witness", &witness);
    Ok(Proof { folds, differences, quotient: quotient_commitment, witness })
}

fn combined(polynomials: &[&[Fr]], factors: &[Fr], length: usize) -> Vec<Fr> {
    let mut sum = vec![Fr::ZERO; length];
    for (polynomial, factor) in polynomials.iter().zip(factors) {
        add_scaled(&mut sum, polynomial, factor);
    }
    sum
}

/// The polynomial, and what it becomes as its variables are bound, last first, down to one variable.
fn all_folds(polynomial: Vec<Fr>, point: &[Fr]) -> Vec<Vec<Fr>> {
    let mut polynomials = vec![polynomial];
    for x in point[1..].iter().rev() {
        let folded = fold_last(&polynomials[polynomials.len() - 1], x);
        polynomials.push(folded);
    }
    polynomials
}

/// `sum += factor · other`, which is no longer than `sum`.
fn add_scaled(sum: &mut [Fr], other: &[Fr], factor: &Fr) {
    sum.par_iter_mut()
        .zip(other)
        .with_min_len(PARALLEL_CHUNK)
        .for_each(|(sum, other)| *sum += factor * other);
}

fn commit(powers_of_tau: &[G1Affine], coefficients: &[Fr]) -> G1 {
    msm(coefficients, powers_of_tau)
}

fn commit_all(powers_of_tau: &[G1Affine], polynomials: &[Vec<Fr>]) -> Vec<G1Affine> {
    let points: Vec<G1> =
        polynomials.par_iter().map(|polynomial| commit(powers_of_tau, polynomial)).collect();
    let mut affine = vec![G1Affine::default(); points.len()];
    G1::batch_normalize(&points, &mut affine);
    affine
}
