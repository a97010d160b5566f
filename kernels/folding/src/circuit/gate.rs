//! What a row of a circuit says of its inputs.

use halo2curves::ff::PrimeField;

use crate::relation::Expression;

/// Polynomials that are 0 at each row that names this gate.
#[derive(Clone, Debug)]
pub struct Gate<F> {
    /// Two gates of one name are the same gate; violations are reported by it.
    pub name: String,
    /// How many inputs a row has.
    pub inputs: usize,
    /// The polynomials, in the inputs by their numbers.
    pub expressions: Vec<Expression<F>>,
}

impl<F: PrimeField> Gate<F> {
    /// `input 0 = 0`.
    pub(super) fn zero() -> Self {
        Self { name: "zero".into(), inputs: 1, expressions: vec![Expression::Input(0)] }
    }

    /// `input 0 * input 1 = input 2`.
    pub(super) fn product() -> Self {
        let product = Expression::Input(0) * Expression::Input(1) - Expression::Input(2);
        Self { name: "product".into(), inputs: 3, expressions: vec![product] }
    }

    /// `input 0` is one of `0..values`.
    pub(super) fn digit(values: u64) -> Self {
        let factor = |digit: u64| Expression::Input(0) - Expression::Constant(F::from(digit));
        let product = (1..values).fold(Expression::Input(0), |product, digit| product * factor(digit));
        Self { name: format!("digit below {values}"), inputs: 1, expressions: vec![product] }
    }
}
