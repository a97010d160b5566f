//! The weights of one group's constraints.

use halo2curves::ff::PrimeField;

use super::shape::GroupShape;
use super::summand::Constraints;
use crate::snark::multilinear::ProductPolynomial;

/// `w(number)` of a constraint as a product: of a weight of its row, and one of its polynomial.
#[derive(Clone, Debug)]
pub(super) struct GroupWeight<F> {
    /// Over the bits of the row.
    pub(super) rows: ProductPolynomial<F>,
    /// A weight for each polynomial: that of the bits above the row's.
    pub(super) blocks: Vec<F>,
}

impl<F: PrimeField> GroupWeight<F> {
    /// The weights of a group under `weight`, which has a variable a bit of a constraint's number, the highest first.
    pub(super) fn new(shape: &GroupShape<'_, F>, weight: &ProductPolynomial<F>) -> Self {
        let (above, of_row) = weight.factors().split_at(weight.variables() - shape.variables);
        let polynomials = shape.group.program().outputs();
        let first = shape.first >> shape.variables;
        let block = |block: usize| {
            let bits = (0..above.len()).rev().map(|bit| block >> bit & 1);
            above.iter().zip(bits).map(|(factor, bit)| factor[bit]).product()
        };
        let blocks = (first..first + polynomials).map(block).collect();
        Self { rows: ProductPolynomial::from_factors(of_row.to_vec()), blocks }
    }

    /// What rows of inputs that are all 0 add to the group's sum, beyond its own.
    pub(super) fn padding(&self, shape: &GroupShape<'_, F>) -> F {
        let constraints = Constraints::new(shape, self);
        let mut registers = vec![F::ZERO; shape.group.program().registers()];
        let constant = constraints.value(&vec![F::ZERO; shape.group.inputs().len()], &mut registers);
        let all: F = self.rows.factors().iter().map(|[a, b]| *a + b).product();
        constant * (all - sum_below(&self.rows, shape.group.rows()))
    }
}

/// The sum of a product polynomial's values at the indices below `end`, which is at most their number.
///
/// Index by index those are: for each bit that is set in `end`, the ones that agree with it above, have a 0 there, and
/// anything below.
fn sum_below<F: PrimeField>(polynomial: &ProductPolynomial<F>, end: usize) -> F {
    let factors = polynomial.factors();
    // What the factors behind each come to when summed over their bits.
    let mut free = vec![F::ONE; factors.len() + 1];
    for (index, [a, b]) in factors.iter().enumerate().rev() {
        free[index] = free[index + 1] * (*a + b);
    }
    if end >> factors.len() > 0 {
        return free[0];
    }
    let mut sum = F::ZERO;
    let mut agreed = F::ONE;
    for (index, [a, b]) in factors.iter().enumerate() {
        if end >> (factors.len() - 1 - index) & 1 == 1 {
            sum += agreed * a * free[index + 1];
            agreed *= b;
        } else {
            agreed *= a;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use halo2curves::bn256::Fr;

    use super::*;
    use crate::snark::testing::{random_scalars, rng};

    #[test]
    fn a_sum_below_an_end_is_the_sum_of_the_values_there() {
        for variables in 0..5 {
            let factors = random_scalars::<Fr>(&mut rng(1), 2 * variables);
            let factors = factors.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
            let polynomial = ProductPolynomial::from_factors(factors);
            let table = polynomial.table();
            for end in 0..=table.len() {
                assert_eq!(sum_below(&polynomial, end), table[..end].iter().sum(), "{variables} {end}");
            }
        }
    }
}
