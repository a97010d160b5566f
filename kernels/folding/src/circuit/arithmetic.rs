//! Products, bits, digits, choices and tests for zero.

use halo2curves::ff::PrimeField;

use super::{Circuit, Gate, Linear};

/// Values of a digit in range checks: its polynomial has this degree, below Poseidon's 5.
const DIGIT_BITS: usize = 2;

impl<F: PrimeField> Circuit<F> {
    /// `linear = 0`.
    pub fn enforce_zero(&mut self, linear: &Linear<F>) {
        self.enforce("zero", Gate::zero, &[linear]);
    }

    /// `left = right`.
    pub fn enforce_equal(&mut self, left: &Linear<F>, right: &Linear<F>) {
        self.enforce_zero(&(left - right));
    }

    /// `left * right = product`.
    pub fn enforce_product(&mut self, left: &Linear<F>, right: &Linear<F>, product: &Linear<F>) {
        self.enforce("product", Gate::product, &[left, right, product]);
    }

    /// The product, as a new variable.
    pub fn product(&mut self, left: &Linear<F>, right: &Linear<F>) -> Linear<F> {
        let product = self.witness(left.value() * right.value());
        self.enforce_product(left, right, &product);
        product
    }

    /// A new variable that is 0 or 1.
    pub fn bit(&mut self, value: bool) -> Linear<F> {
        let bit = self.witness(F::from(u64::from(value)));
        self.enforce("digit below 2", || Gate::digit(2), &[&bit]);
        bit
    }

    /// `chosen` where `bit` is 1, else `other`; the bit must be one.
    pub fn choose(&mut self, bit: &Linear<F>, chosen: &Linear<F>, other: &Linear<F>) -> Linear<F> {
        self.product(bit, &(chosen - other)) + other
    }

    /// 1 where `linear` is 0, else 0.
    pub fn is_zero(&mut self, linear: &Linear<F>) -> Linear<F> {
        let inverse = self.witness(linear.value().invert().unwrap_or(F::ZERO));
        // With the second row, 1 - linear * inverse is 1 for 0; with the first, it is 0 for all else.
        let is_zero = Linear::one() - self.product(linear, &inverse);
        self.enforce_product(linear, &is_zero, &Linear::zero());
        is_zero
    }

    /// Digits of two bits, least first, of a number below `2^bits` whose limbs of 64 bits these are; an odd last bit is a
    /// digit of one bit. Their weighted sum is for the caller to compare.
    pub fn digits(&mut self, limbs: &[u64], bits: usize) -> Vec<Linear<F>> {
        let bit = |index: usize| limbs.get(index / 64).map_or(0, |limb| limb >> (index % 64) & 1);
        (0..bits)
            .step_by(DIGIT_BITS)
            .map(|first| {
                if first + 1 == bits {
                    return self.bit(bit(first) == 1);
                }
                let digit = self.witness(F::from(bit(first) + 2 * bit(first + 1)));
                self.enforce("digit below 4", || Gate::digit(4), &[&digit]);
                digit
            })
            .collect()
    }
}
