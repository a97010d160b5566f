//! Bits and digits of native elements.
//!
//! A decomposition of an element is of its canonical representative: that the digits' integer is below the modulus is
//! enforced, so an element has one decomposition and not also that of itself plus the modulus.

use halo2curves::ff::PrimeField;

use super::below::enforce_below;
use super::integer::{self, Words};
use crate::circuit::{Circuit, Gate, Linear};
use crate::relation::Expression;

/// The bits of a short number: challenges that multiply points or integers of the other field.
pub const SHORT_BITS: usize = 128;

/// Pieces of numbers in comparisons with constants: with 32 bits, flags and digits together are fewest.
const PIECE_BITS: usize = 32;

const DIGIT_OF_A_SUM: &str = "a sum is a digit below 4";
const BIT_OF_A_SUM: &str = "a sum is a digit below 2";

/// A part of a number, least first among others.
#[derive(Clone, Debug)]
pub(super) struct Piece<F> {
    pub(super) value: Linear<F>,
    pub(super) bits: usize,
}

/// A number below `2^128`, with its bits.
#[derive(Clone, Debug)]
pub struct Short<F> {
    /// Least first, [`SHORT_BITS`] of them.
    pub bits: Vec<Linear<F>>,
    /// The number: one variable.
    pub value: Linear<F>,
}

impl<F: PrimeField> Short<F> {
    /// A native element that is below `2^128`, which is enforced. Takes 128 bits.
    pub fn new(circuit: &mut Circuit<F>, value: &Linear<F>) -> Self {
        let bits = self::bits(circuit, &value.value(), SHORT_BITS);
        circuit.enforce_equal(value, &weighted(&bits, 1));
        Self { bits, value: value.clone() }
    }

    /// The low 128 bits of an element's canonical representative: [`low_number_of`] in a circuit.
    ///
    /// Takes a variable of 128 bits, 128 bits, and for the rest of the element and its comparison with the modulus another
    /// 62 + 22 small ones and one of 32 bits, if the modulus has 254 bits.
    pub fn low_bits(circuit: &mut Circuit<F>, element: &Linear<F>) -> Self {
        Self::low_bits_of(circuit, element, low_number_of(&element.value()))
    }

    /// [`Short::low_bits`] where this number is claimed.
    fn low_bits_of(circuit: &mut Circuit<F>, element: &Linear<F>, number: u128) -> Self {
        let value = circuit.witness(F::from_u128(number));
        let short = Self::new(circuit, &value);
        let low = short.bits.iter().map(|bit| Piece { value: bit.clone(), bits: 1 }).collect();
        enforce_rest(circuit, element, &value, low);
        short
    }
}

/// The low 128 bits of an element's canonical representative: what a challenge is of what the oracle gave.
#[must_use]
pub fn low_number_of<F: PrimeField>(element: &F) -> u128 {
    integer::bits(&integer::words(element), 0, SHORT_BITS)
}

/// The low 128 bits of an element's canonical representative as a number alone: a variable of 128 bits, 63 + 62 + 22 small
/// ones and one of 32 bits, if the modulus has 254 bits.
pub fn low_number<F: PrimeField>(circuit: &mut Circuit<F>, element: &Linear<F>) -> Linear<F> {
    let value = circuit.witness(F::from_u128(low_number_of(&element.value())));
    let low = pieces(&digits(circuit, &value, SHORT_BITS), SHORT_BITS);
    enforce_rest(circuit, element, &value, low);
    value
}

/// The digits of two bits, least first, of an element's canonical representative. Takes 126 + 22 small variables and one of
/// 32 bits, if the modulus has 254 bits.
pub fn canonical_digits<F: PrimeField>(circuit: &mut Circuit<F>, element: &Linear<F>) -> Vec<Linear<F>> {
    canonical_digits_of(circuit, element, &integer::words(&element.value()))
}

/// [`canonical_digits`] of this integer, which the element has to be modulo the field's modulus.
fn canonical_digits_of<F: PrimeField>(
    circuit: &mut Circuit<F>,
    element: &Linear<F>,
    integer: &Words,
) -> Vec<Linear<F>> {
    let digits = digits_of(circuit, element, integer, F::NUM_BITS as usize);
    let pieces = pieces(&digits, F::NUM_BITS as usize);
    enforce_below(circuit, &grouped(&pieces, PIECE_BITS), &integer::modulus::<F>());
    digits
}

/// The element is `low + 2^128 high`, where the integer on the right is below the modulus; `low` has these pieces.
fn enforce_rest<F: PrimeField>(
    circuit: &mut Circuit<F>,
    element: &Linear<F>,
    low: &Linear<F>,
    mut low_pieces: Vec<Piece<F>>,
) {
    let high_bits = F::NUM_BITS as usize - SHORT_BITS;
    // high is no variable: it is what is left of the element.
    let power = F::from(2).pow_vartime([SHORT_BITS as u64]);
    let high = (element - low) * power.invert().unwrap_or(F::ZERO);
    low_pieces.extend(pieces(&digits(circuit, &high, high_bits), high_bits));
    enforce_below(circuit, &grouped(&low_pieces, PIECE_BITS), &integer::modulus::<F>());
}

/// The bits of an element's low end, least first, each a variable that is a bit. Their sum is for the caller to compare.
pub fn bits<F: PrimeField>(circuit: &mut Circuit<F>, element: &F, count: usize) -> Vec<Linear<F>> {
    let words = integer::words(element);
    (0..count).map(|index| circuit.bit(integer::bits(&words, index, 1) == 1)).collect()
}

/// The digits of two bits, least first, of a combination that is below `2^bits`, which is enforced; the last digit is a bit
/// where `bits` is odd. With `2^bits` beyond the modulus, two integers can be meant.
///
/// The lowest digit is no variable: it is what the others leave of the combination. Takes `ceil(bits / 2) - 1` variables.
pub fn digits<F: PrimeField>(circuit: &mut Circuit<F>, value: &Linear<F>, bits: usize) -> Vec<Linear<F>> {
    digits_of(circuit, value, &integer::words(&value.value()), bits)
}

/// [`digits`] of this integer, which the value has to be modulo the field's modulus.
pub(super) fn digits_of<F: PrimeField>(
    circuit: &mut Circuit<F>,
    value: &Linear<F>,
    integer: &Words,
    bits: usize,
) -> Vec<Linear<F>> {
    if bits == 0 {
        circuit.enforce_zero(value);
        return Vec::new();
    }
    let higher = circuit.digits(&integer::shifted(integer, 2), bits.saturating_sub(2));
    let lowest = value - &(weighted(&higher, 2) * F::from(4));
    let (name, values) = if bits == 1 { (BIT_OF_A_SUM, 2) } else { (DIGIT_OF_A_SUM, 4) };
    circuit.enforce(name, || digit_of_a_sum(name, values), &[&lowest]);
    std::iter::once(lowest).chain(higher).collect()
}

/// Apart from digits that are variables, so that those are read as such.
fn digit_of_a_sum<F: PrimeField>(name: &str, values: u64) -> Gate<F> {
    let factor = |digit| Expression::Input(0) - Expression::Constant(F::from(digit));
    let product = (1..values).fold(Expression::Input(0), |product, digit| product * factor(digit));
    Gate { name: name.to_owned(), inputs: 1, expressions: vec![product] }
}

/// `sum digits[i] 2^(i bits)`.
pub(super) fn weighted<F: PrimeField>(digits: &[Linear<F>], bits: usize) -> Linear<F> {
    let base = F::from(1 << bits);
    let powers = std::iter::successors(Some(F::ONE), |power| Some(*power * base));
    Linear::sum(digits.iter().zip(powers))
}

/// Digits of a number of so many bits, each with its own number of bits.
pub(super) fn pieces<F: PrimeField>(digits: &[Linear<F>], bits: usize) -> Vec<Piece<F>> {
    let piece =
        |(index, digit): (usize, &Linear<F>)| Piece { value: digit.clone(), bits: 2.min(bits - 2 * index) };
    digits.iter().enumerate().map(piece).collect()
}

/// The same number in fewer pieces of at least `bits` bits, but for the last.
pub(super) fn grouped<F: PrimeField>(pieces: &[Piece<F>], bits: usize) -> Vec<Piece<F>> {
    let mut grouped: Vec<Piece<F>> = Vec::new();
    let mut terms: Vec<(&Linear<F>, F)> = Vec::new();
    let (mut width, mut weight) = (0, F::ONE);
    for (index, piece) in pieces.iter().enumerate() {
        terms.push((&piece.value, weight));
        weight *= F::from(1 << piece.bits);
        width += piece.bits;
        if width >= bits || index + 1 == pieces.len() {
            grouped.push(Piece { value: Linear::sum(terms.drain(..)), bits: width });
            (width, weight) = (0, F::ONE);
        }
    }
    grouped
}

#[cfg(test)]
mod tests;
