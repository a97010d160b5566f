//! The weights of constraints in an accumulator's claim.

use halo2curves::ff::PrimeField;

/// `pow_i(β)` for all `i` below `2^t`: the product of those `β_j` whose bit is set in `i`.
///
/// Kept as two tables, of the low and of the high half of the bits: one product a weight, and little memory.
#[derive(Clone, Debug)]
pub struct Weights<F> {
    low: Vec<F>,
    high: Vec<F>,
}

/// How many `β` weigh constraints of so many numbers: `t = ceil(log2(numbers))`.
#[must_use]
pub fn betas_for(numbers: usize) -> usize {
    numbers.next_power_of_two().trailing_zeros() as usize
}

impl<F: PrimeField> Weights<F> {
    /// The weights of these `β`.
    #[must_use]
    pub fn new(betas: &[F]) -> Self {
        let (low, high) = betas.split_at(betas.len() / 2);
        Self { low: products(low), high: products(high) }
    }

    /// `pow_i(β)`.
    #[must_use]
    pub fn get(&self, index: usize) -> F {
        // The low table's length is a power of two.
        self.low[index & (self.low.len() - 1)] * self.high[index / self.low.len()]
    }
}

/// The products of all subsets, by the number whose bits are the subset.
fn products<F: PrimeField>(betas: &[F]) -> Vec<F> {
    let mut products = Vec::with_capacity(1 << betas.len());
    products.push(F::ONE);
    for beta in betas {
        for index in 0..products.len() {
            products.push(products[index] * beta);
        }
    }
    products
}
