//! Division of polynomials in one variable, constant coefficient first.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

/// Divides `f` by `X^2 - s`: the quotient, and the remainder `e + o X` as `[e, o]`.
///
/// Even and odd coefficients are two polynomials in `X^2`, each divided by a linear one; so `e` and `o` are the values
/// of the two at `s`.
pub(super) fn by_square(f: &[Fr], s: &Fr) -> (Vec<Fr>, [Fr; 2]) {
    let mut quotient = f.to_vec();
    for i in (0..quotient.len().saturating_sub(2)).rev() {
        let above = quotient[i + 2];
        quotient[i] += above * s;
    }
    let mut remainder = [Fr::ZERO; 2];
    for (low, value) in remainder.iter_mut().zip(&quotient) {
        *low = *value;
    }
    quotient.drain(..2.min(f.len()));
    (quotient, remainder)
}

/// Divides `f` by `X - z` and drops the remainder.
pub(super) fn by_linear(f: &[Fr], z: &Fr) -> Vec<Fr> {
    let mut quotient = f.get(1..).unwrap_or(&[]).to_vec();
    for i in (0..quotient.len().saturating_sub(1)).rev() {
        let above = quotient[i + 1];
        quotient[i] += above * z;
    }
    quotient
}
