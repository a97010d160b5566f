//! Integers modulo the other field's modulus.
//!
//! A [`NonNative`] is a number below `2^(bits of N)` in range-checked limbs. What arithmetic gives is below the modulus too, so
//! an element has one form: equality is limb by limb, and what an oracle absorbs is decided by the element.

use halo2curves::ff::PrimeField;

use super::below::enforce_below;
use super::bits::{Piece, SHORT_BITS, Short, weighted};
use super::integer;
use super::limbs::LimbParameters;
use super::reduce::{Checked, Number, assign, enforce_reduced, native};
use crate::circuit::{Circuit, Linear};

/// An element of `N` in a circuit over `F`.
#[derive(Clone, Debug)]
pub struct NonNative<F, N> {
    limbs: Vec<Linear<F>>,
    value: N,
    parameters: LimbParameters,
}

/// A number below `2^128` in limbs.
#[derive(Clone, Debug)]
pub struct ShortLimbs<F> {
    limbs: Vec<Linear<F>>,
    value: F,
    parameters: LimbParameters,
}

impl<F: PrimeField> ShortLimbs<F> {
    /// The number's limbs. Takes a variable of a limb's bits for each limb but the last.
    pub fn new(circuit: &mut Circuit<F>, short: &Short<F>, parameters: LimbParameters) -> Self {
        let mut limbs = Vec::new();
        let (mut rest, mut start) = (short.value.clone(), 0);
        let widths = parameters.widths(SHORT_BITS);
        let last = widths.len() - 1;
        for width in widths.take(last) {
            let sum = weighted(&short.bits[start..start + width], 1);
            let limb = circuit.witness(sum.value());
            circuit.enforce_equal(&limb, &sum);
            let base = F::from(2).pow_vartime([width as u64]);
            rest = (rest - limb.clone()) * base.invert().unwrap_or(F::ZERO);
            limbs.push(limb);
            start += width;
        }
        limbs.push(rest);
        Self { limbs, value: short.value.value(), parameters }
    }

    fn number(&self) -> Number<'_, F> {
        Number { limbs: &self.limbs, value: integer::words(&self.value), bits: SHORT_BITS }
    }
}

impl<F: PrimeField, N: PrimeField> NonNative<F, N> {
    /// An element that is a constant of the circuit.
    #[must_use]
    pub fn constant(value: N, parameters: LimbParameters) -> Self {
        let limbs = parameters.limbs(&integer::words(&value), Self::BITS);
        Self { limbs: limbs.into_iter().map(Linear::constant).collect(), value, parameters }
    }

    /// A new element, whose limbs are range-checked, and which may be the modulus or a little more. With the default limbs:
    /// 4 variables of at most 68 bits and 123 small ones.
    pub fn assign(circuit: &mut Circuit<F>, value: N, parameters: LimbParameters) -> Self {
        Self::assign_in_pieces(circuit, value, parameters).0
    }

    /// A new element, below the modulus. With the default limbs: 4 variables of at most 68 bits, one of 34, and 123 + 23 small
    /// ones.
    pub fn assign_canonical(circuit: &mut Circuit<F>, value: N, parameters: LimbParameters) -> Self {
        let (element, pieces) = Self::assign_in_pieces(circuit, value, parameters);
        enforce_below(circuit, &pieces, &integer::modulus::<N>());
        element
    }

    /// The element that a short number is, below the modulus as it stands.
    #[must_use]
    pub fn from_short(short: &ShortLimbs<F>) -> Self {
        let mut limbs = short.limbs.clone();
        limbs.resize(short.parameters.widths(Self::BITS).len(), Linear::zero());
        let value = N::from_u128(integer::bits(&integer::words(&short.value), 0, SHORT_BITS));
        Self { limbs, value, parameters: short.parameters }
    }

    /// The limbs, least first.
    #[must_use]
    pub fn limbs(&self) -> &[Linear<F>] {
        &self.limbs
    }

    /// The element under the assignment that is being made.
    #[must_use]
    pub fn value(&self) -> N {
        self.value
    }

    /// The number is below the modulus. What [`assign_canonical`](Self::assign_canonical) and arithmetic give is so already.
    pub fn enforce_canonical(&self, circuit: &mut Circuit<F>) {
        let widths = self.parameters.widths(Self::BITS);
        let pieces: Vec<_> =
            self.limbs.iter().zip(widths).map(|(limb, bits)| Piece { value: limb.clone(), bits }).collect();
        enforce_below(circuit, &pieces, &integer::modulus::<N>());
    }

    /// Limb by limb: the same number, not only the same element.
    ///
    /// # Panics
    /// When limbs are of different parameters.
    pub fn enforce_equal(&self, circuit: &mut Circuit<F>, other: &Self) {
        assert_eq!(other.parameters, self.parameters);
        for (limb, other) in self.limbs.iter().zip(&other.limbs) {
            circuit.enforce_equal(limb, other);
        }
    }

    /// `chosen` where `bit` is 1, else `other`; the bit must be one. A variable for each limb.
    ///
    /// # Panics
    /// When limbs are of different parameters.
    pub fn choose(circuit: &mut Circuit<F>, bit: &Linear<F>, chosen: &Self, other: &Self) -> Self {
        assert_eq!(other.parameters, chosen.parameters);
        let pairs = chosen.limbs.iter().zip(&other.limbs);
        let limbs = pairs.map(|(chosen, other)| circuit.choose(bit, chosen, other)).collect();
        let value = if bool::from(bit.value().is_zero()) { other.value } else { chosen.value };
        Self { limbs, value, parameters: chosen.parameters }
    }

    /// The limbs in native elements of at most 248 bits, for an oracle: [`pack_limbs`](super::pack_limbs) of a number that is
    /// below the modulus.
    #[must_use]
    pub fn pack(&self) -> Vec<Linear<F>> {
        self.limbs
            .chunks(self.parameters.packed_limbs())
            .map(|limbs| native(self.parameters, limbs))
            .collect()
    }

    /// The number modulo the circuit's own field.
    #[must_use]
    pub fn native(&self) -> Linear<F> {
        native(self.parameters, &self.limbs)
    }

    /// `self + short * factor`, below the modulus. With the default limbs: 7 variables of at most 72 bits, one of 34, and
    /// 123 + 23 small ones for what it gives, 63 for the quotient and 35 for the carry.
    ///
    /// # Panics
    /// When limbs are of different parameters.
    #[must_use]
    pub fn add_multiple(&self, circuit: &mut Circuit<F>, short: &ShortLimbs<F>, factor: &Self) -> Self {
        assert_eq!([short.parameters, factor.parameters], [self.parameters; 2]);
        let value = self.value + Self::from_short(short).value * factor.value;
        self.reduced(circuit, short.number(), factor.number(), value)
    }

    /// `self + short`, below the modulus.
    ///
    /// # Panics
    /// When limbs are of different parameters.
    #[must_use]
    pub fn add_short(&self, circuit: &mut Circuit<F>, short: &ShortLimbs<F>) -> Self {
        assert_eq!(short.parameters, self.parameters);
        let value = self.value + Self::from_short(short).value;
        self.reduced(circuit, short.number(), Self::one(&[Linear::one()]), value)
    }

    /// `self + other`, below the modulus.
    ///
    /// # Panics
    /// When limbs are of different parameters.
    #[must_use]
    pub fn add(&self, circuit: &mut Circuit<F>, other: &Self) -> Self {
        assert_eq!(other.parameters, self.parameters);
        self.reduced(circuit, other.number(), Self::one(&[Linear::one()]), self.value + other.value)
    }

    /// `self + left * right`, below the modulus.
    ///
    /// # Panics
    /// When limbs are of different parameters.
    #[must_use]
    pub fn add_product(&self, circuit: &mut Circuit<F>, left: &Self, right: &Self) -> Self {
        assert_eq!([left.parameters, right.parameters], [self.parameters; 2]);
        self.reduced(circuit, left.number(), right.number(), self.value + left.value * right.value)
    }

    const BITS: usize = N::NUM_BITS as usize;

    fn assign_in_pieces(
        circuit: &mut Circuit<F>,
        value: N,
        parameters: LimbParameters,
    ) -> (Self, Vec<Piece<F>>) {
        let Checked { limbs, pieces } = assign(circuit, parameters, &integer::words(&value), Self::BITS);
        (Self { limbs, value, parameters }, pieces)
    }

    fn number(&self) -> Number<'_, F> {
        Number { limbs: &self.limbs, value: integer::words(&self.value), bits: Self::BITS }
    }

    fn one(limbs: &[Linear<F>; 1]) -> Number<'_, F> {
        Number { limbs, value: [1, 0, 0, 0], bits: 1 }
    }

    /// `self + x y`, which is this element.
    fn reduced(&self, circuit: &mut Circuit<F>, x: Number<'_, F>, y: Number<'_, F>, value: N) -> Self {
        let reduced = Self::assign_canonical(circuit, value, self.parameters);
        enforce_reduced::<F, N>(circuit, self.parameters, [x, y, self.number(), reduced.number()]);
        reduced
    }
}

#[cfg(test)]
mod tests;
