//! Polynomials in one variable, by their values at consecutive integers or by their coefficients.

use halo2curves::ff::PrimeField;

/// The Lagrange polynomials of the points `0, .., count - 1`, at `x`.
#[must_use]
pub(crate) fn lagrange_at<F: PrimeField>(count: usize, x: F) -> Vec<F> {
    let points = || (0..count as u64).map(F::from);
    let basis = |own: F| {
        let others = || points().filter(move |point| *point != own);
        let numerator: F = others().map(|point| x - point).product();
        let denominator: F = others().map(|point| own - point).product();
        numerator * denominator.invert().expect("differences of distinct points are not 0")
    };
    points().map(basis).collect()
}

/// The coefficients, from the constant on, of the polynomial with these values at `first, first + 1, ..` (Newton's form).
#[must_use]
pub(crate) fn interpolate<F: PrimeField>(first: usize, values: &[F]) -> Vec<F> {
    let mut differences = values.to_vec();
    for level in 1..values.len() {
        let inverse = F::from(level as u64).invert().expect("a level is below the field's characteristic");
        for index in (level..values.len()).rev() {
            differences[index] = (differences[index] - differences[index - 1]) * inverse;
        }
    }
    let mut coefficients: Vec<F> = Vec::with_capacity(values.len());
    for (index, difference) in differences.iter().enumerate().rev() {
        // (polynomial so far) * (X - point) + difference
        let point = F::from((first + index) as u64);
        coefficients.insert(0, F::ZERO);
        for position in 1..coefficients.len() {
            let higher = coefficients[position];
            coefficients[position - 1] -= higher * point;
        }
        coefficients[0] += difference;
    }
    coefficients
}

/// The value of a polynomial, given by its coefficients from the constant on.
#[must_use]
pub(crate) fn evaluate<F: PrimeField>(coefficients: &[F], x: F) -> F {
    coefficients.iter().rev().fold(F::ZERO, |value, coefficient| value * x + coefficient)
}

/// What turns the values at `first, first + 1, ..` into coefficients: a row a coefficient, a column a value.
#[must_use]
pub(crate) fn interpolation<F: PrimeField>(first: usize, count: usize) -> Vec<Vec<F>> {
    let columns: Vec<_> = (0..count)
        .map(|own| {
            interpolate(first, &(0..count).map(|index| F::from(u64::from(index == own))).collect::<Vec<_>>())
        })
        .collect();
    (0..count).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
}
