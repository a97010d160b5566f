//! Elements of another field in circuits, and what rows refuse.

mod arithmetic;
mod claims;
mod cost;

use halo2curves::ff::PrimeField;

use super::super::limbs::LimbParameters;
use super::{Short, ShortLimbs};
use crate::circuit::Circuit;

const DEFAULT: LimbParameters = LimbParameters::DEFAULT;

const R: u128 = 0xabcd_0123_4567_89ab_cdef_0123_4567_89ab;

fn short<F: PrimeField>(circuit: &mut Circuit<F>, value: u128, parameters: LimbParameters) -> ShortLimbs<F> {
    let value = circuit.witness(F::from_u128(value));
    let short = Short::new(circuit, &value);
    ShortLimbs::new(circuit, &short, parameters)
}
