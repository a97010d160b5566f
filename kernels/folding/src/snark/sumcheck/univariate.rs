//! Polynomials in one variable of a low degree: the rounds' messages.

use halo2curves::ff::PrimeField;

/// The value at `x` of the polynomial with these coefficients, constant first.
pub(super) fn evaluate<F: PrimeField>(coefficients: &[F], x: &F) -> F {
    coefficients.iter().rev().fold(F::ZERO, |value, c| value * x + c)
}

/// All coefficients of a polynomial of which `sent` has all but the linear one, so that its values at 0 and 1 sum to
/// `claim`.
pub(super) fn decompress<F: PrimeField>(sent: &[F], claim: &F) -> Vec<F> {
    let constant = sent.first().copied().unwrap_or(F::ZERO);
    let linear = *claim - constant - sent.iter().sum::<F>();
    let mut coefficients = Vec::with_capacity(sent.len() + 1);
    coefficients.extend([constant, linear]);
    coefficients.extend_from_slice(sent.get(1..).unwrap_or(&[]));
    coefficients
}

/// From values at 0, 1, …, d to coefficients.
pub(super) struct Interpolation<F> {
    /// Row `j`: the coefficients of the polynomial that is 1 at `j` and 0 at the other points.
    basis: Vec<Vec<F>>,
}

impl<F: PrimeField> Interpolation<F> {
    pub(super) fn new(degree: usize) -> Self {
        let points: Vec<F> = (0..=degree as u64).map(F::from).collect();
        let basis = (0..=degree).map(|j| lagrange(&points, j)).collect();
        Self { basis }
    }

    pub(super) fn coefficients(&self, values: &[F]) -> Vec<F> {
        let mut coefficients = vec![F::ZERO; self.basis.len()];
        for (value, basis) in values.iter().zip(&self.basis) {
            for (coefficient, b) in coefficients.iter_mut().zip(basis) {
                *coefficient += *value * b;
            }
        }
        coefficients
    }
}

/// `Π_{k != j} (X - x_k) / (x_j - x_k)`.
fn lagrange<F: PrimeField>(points: &[F], j: usize) -> Vec<F> {
    let mut product = vec![F::ZERO; points.len()];
    product[0] = F::ONE;
    let mut denominator = F::ONE;
    for (k, point) in points.iter().enumerate().filter(|(k, _)| *k != j) {
        // By (X - x_k), highest coefficient first, so that each is read before it is written.
        for i in (0..product.len()).rev() {
            let shifted = if i == 0 { F::ZERO } else { product[i - 1] };
            product[i] = shifted - *point * product[i];
        }
        denominator *= points[j] - points[k];
    }
    // Distinct small integers differ in every field here, so the inverse exists.
    let scale = denominator.invert().unwrap_or(F::ZERO);
    product.iter().map(|c| *c * scale).collect()
}
