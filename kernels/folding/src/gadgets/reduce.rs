//! A product and a sum of integers, modulo the other field's modulus.
//!
//! For numbers `x`, `y`, `a` in limbs, the prover gives `k` and `c` with `X = x y + a - k N - c = 0`, `N` the other field's
//! modulus. That this holds of integers is checked modulo the native modulus `p`, by one row on the whole numbers, and modulo
//! `2^t`, by their low limbs: both together say that `p 2^t` divides `X`. Every limb is below a known power of two, so `|X|`
//! is below one, and `t` is chosen for that to be at most `p 2^t`: then `X = 0`.
//!
//! The check modulo `2^t` goes by columns, a column being what limbs add up to at one power of `2^width`. As many columns as
//! the native field holds are summed in a row, which is `2^(their bits)` times a carry into the next row. Each carry, the
//! last one too, is range-checked: otherwise any remainder would be a multiple, of a carry that wraps around.

use halo2curves::ff::PrimeField;

use super::bits::{Piece, digits, grouped, pieces};
use super::integer::{self, Words};
use super::limbs::{LimbParameters, ceil_log2};
use crate::circuit::{Circuit, Gate, Linear};
use crate::relation::Expression;

/// A number below `2^bits` in range-checked limbs.
#[derive(Clone, Copy)]
pub(super) struct Number<'a, F> {
    /// Least first, of the width that the parameters of the computation say.
    pub(super) limbs: &'a [Linear<F>],
    pub(super) value: Words,
    pub(super) bits: usize,
}

/// New limbs, in pieces as a comparison wants them.
pub(super) struct Checked<F> {
    pub(super) limbs: Vec<Linear<F>>,
    pub(super) pieces: Vec<Piece<F>>,
}

/// Bits of the pieces of limbs.
const PIECE_BITS: usize = 34;

/// A number below `2^bits` in new limbs, each a variable; takes for `w` bits of a limb `ceil(w / 2) - 1` small ones too.
pub(super) fn assign<F: PrimeField>(
    circuit: &mut Circuit<F>,
    parameters: LimbParameters,
    value: &Words,
    bits: usize,
) -> Checked<F> {
    let mut checked = Checked { limbs: Vec::new(), pieces: Vec::new() };
    for (limb, width) in parameters.limbs(value, bits).into_iter().zip(parameters.widths(bits)) {
        let limb = circuit.witness(limb);
        let digits = digits(circuit, &limb, width);
        checked.pieces.extend(grouped(&pieces(&digits, width), PIECE_BITS));
        checked.limbs.push(limb);
    }
    checked
}

/// The value of the limbs in the native field.
pub(super) fn native<F: PrimeField>(parameters: LimbParameters, limbs: &[Linear<F>]) -> Linear<F> {
    let base: F = power(parameters.limb_width());
    let powers = std::iter::successors(Some(F::ONE), |power| Some(*power * base));
    Linear::sum(limbs.iter().zip(powers))
}

/// `x y + addend - k N = remainder` of integers is enforced, for some `k`. The remainder is below `2^(bits of N)`.
///
/// Takes the limbs of `k`, which has 2 bits more than `x y + addend` has beyond `N`, the carries, and one row for each
/// carry, one for the native modulus.
///
/// # Panics
/// When limbs are wider than [`LimbParameters::new`] allows, which is a mistake of the code that made them.
pub(super) fn enforce_reduced<F: PrimeField, N: PrimeField>(
    circuit: &mut Circuit<F>,
    parameters: LimbParameters,
    [x, y, addend, remainder]: [Number<'_, F>; 4],
) {
    let sum = integer::add(integer::multiply(x.value, y.value), addend.value);
    let multiple = integer::subtract(sum, remainder.value);
    let quotient = integer::exact_quotient(multiple, integer::modulus::<N>());
    enforce_quotient::<F, N>(circuit, parameters, [x, y, addend, remainder], &quotient);
}

/// [`enforce_reduced`] where this `k` is claimed.
pub(super) fn enforce_quotient<F: PrimeField, N: PrimeField>(
    circuit: &mut Circuit<F>,
    parameters: LimbParameters,
    [x, y, addend, remainder]: [Number<'_, F>; 4],
    quotient: &Words,
) {
    let modulus_bits = N::NUM_BITS as usize;
    // x y + a < 2^total, and N is at least 2^(modulus_bits - 1).
    let total = addend.bits.max(x.bits + y.bits) + 1;
    let quotient_bits = (total + 1).saturating_sub(modulus_bits);
    let quotient_limbs = assign(circuit, parameters, quotient, quotient_bits).limbs;

    let modulus_limbs: Vec<F> = parameters.limbs(&integer::modulus::<N>(), modulus_bits);
    let whole_modulus = native_constant(parameters, &modulus_limbs);
    let others = native(parameters, remainder.limbs) + native(parameters, &quotient_limbs) * whole_modulus
        - native(parameters, addend.limbs);
    circuit.enforce_product(&native(parameters, x.limbs), &native(parameters, y.limbs), &others);

    // k N + c < 2^(quotient_bits + modulus_bits + 1); p is at least 2^CAPACITY.
    let reach = total.max(quotient_bits + modulus_bits + 1);
    let needed = reach.saturating_sub(F::CAPACITY as usize);
    let quotient = Number { limbs: &quotient_limbs, value: *quotient, bits: quotient_bits };
    let columns = Columns { parameters, x, y, addend, quotient, modulus: &modulus_limbs, remainder };
    columns.enforce_zero_below(circuit, needed);
}

struct Columns<'a, F> {
    parameters: LimbParameters,
    x: Number<'a, F>,
    y: Number<'a, F>,
    addend: Number<'a, F>,
    quotient: Number<'a, F>,
    modulus: &'a [F],
    remainder: Number<'a, F>,
}

impl<F: PrimeField> Columns<'_, F> {
    /// `X` is a multiple of `2^needed`.
    fn enforce_zero_below(&self, circuit: &mut Circuit<F>, needed: usize) {
        let width = self.parameters.limb_width();
        let column_bits = self.column_bits();
        let room = F::CAPACITY as usize;
        assert!(column_bits + 3 <= room, "limb parameters bound a column with its carry");
        // A row of g columns and the carries of both sides stay below 2^(width (g - 1) + column_bits + 3).
        let columns_a_row = 1 + (room - column_bits - 3) / width;

        let mut carry = Linear::zero();
        let mut start = 0;
        while start * width < needed {
            let end = (start + columns_a_row).min(needed.div_ceil(width));
            let shift = width * (end - start);
            let linear = self.linear(start..end) + carry;
            let sum = linear.value() + self.products(start..end);
            // |sum| < 2^(shift - width + column_bits + 1), so the carry is in -2^half..2^half.
            let half = column_bits + 1 - width;
            let offset = power::<F>(half);
            let shifted_carry = circuit.witness(sum * power::<F>(shift).invert().unwrap_or(F::ZERO) + offset);
            digits(circuit, &shifted_carry, half + 1);
            carry = shifted_carry - Linear::constant(offset);
            let rest = linear - carry.clone() * power(shift);
            self.enforce_row(circuit, start..end, &rest);
            start = end;
        }
    }

    /// The terms of one sign in a column, with the carry into it, add up to less than 2 to this.
    fn column_bits(&self) -> usize {
        let width = self.parameters.limb_width();
        let limb = |number: &Number<'_, F>| number.bits.min(width);
        // In addition to the products there are one limb and a carry, and neither is above the greatest product's bound.
        let products = self.x.limbs.len().min(self.y.limbs.len());
        let positive = width.max(limb(&self.x) + limb(&self.y)) + ceil_log2(products + 2);
        let negative = limb(&self.quotient) + width + ceil_log2(self.quotient.limbs.len() + 2);
        positive.max(negative)
    }

    /// Which limbs of `x` and `y` meet in these columns, with the power of two of the product.
    fn meetings(&self, columns: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize, F)> {
        let width = self.parameters.limb_width();
        let (xs, ys) = (self.x.limbs.len(), self.y.limbs.len());
        columns.clone().flat_map(move |column| {
            let weight = power(width * (column - columns.start));
            (0..xs).filter(move |i| *i <= column && column - i < ys).map(move |i| (i, column - i, weight))
        })
    }

    fn products(&self, columns: std::ops::Range<usize>) -> F {
        self.meetings(columns)
            .map(|(i, j, weight)| self.x.limbs[i].value() * self.y.limbs[j].value() * weight)
            .sum()
    }

    /// The columns' terms that are no product of variables, weighted by powers of two from the first column on.
    fn linear(&self, columns: std::ops::Range<usize>) -> Linear<F> {
        let width = self.parameters.limb_width();
        let start = columns.start;
        let mut terms = Vec::new();
        for column in columns {
            let weight: F = power(width * (column - start));
            terms.extend(self.addend.limbs.get(column).map(|limb| (limb, weight)));
            terms.extend(self.remainder.limbs.get(column).map(|limb| (limb, -weight)));
            for (i, limb) in self.quotient.limbs.iter().enumerate().take(column + 1) {
                terms.extend(self.modulus.get(column - i).map(|modulus| (limb, -weight * modulus)));
            }
        }
        Linear::sum(terms)
    }

    /// The products of these columns and the rest add up to 0.
    fn enforce_row(&self, circuit: &mut Circuit<F>, columns: std::ops::Range<usize>, rest: &Linear<F>) {
        let meetings: Vec<_> = self.meetings(columns.clone()).collect();
        if meetings.is_empty() {
            return circuit.enforce_zero(rest);
        }
        let (xs, ys) = (self.x.limbs.len(), self.y.limbs.len());
        let width = self.parameters.limb_width();
        let name = format!("columns {columns:?} of {xs} x {ys} limbs of {width} bits");
        let gate = || {
            let product =
                |(i, j, weight): (usize, usize, F)| Expression::Input(i) * Expression::Input(xs + j) * weight;
            let sum =
                meetings.into_iter().fold(Expression::Input(xs + ys), |sum, meeting| sum + product(meeting));
            Gate { name: name.clone(), inputs: xs + ys + 1, expressions: vec![sum] }
        };
        let inputs: Vec<_> = self.x.limbs.iter().chain(self.y.limbs).chain([rest]).collect();
        circuit.enforce(&name, gate, &inputs);
    }
}

fn native_constant<F: PrimeField>(parameters: LimbParameters, limbs: &[F]) -> F {
    let base = power::<F>(parameters.limb_width());
    limbs.iter().rev().fold(F::ZERO, |sum, limb| sum * base + limb)
}

fn power<F: PrimeField>(exponent: usize) -> F {
    F::from(2).pow_vartime([exponent as u64])
}
