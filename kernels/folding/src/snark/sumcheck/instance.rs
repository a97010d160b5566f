//! What is summed.

use halo2curves::ff::PrimeField;

use super::{Claim, Error};
use crate::snark::multilinear::{ProductPolynomial, bind_first};

/// The polynomial `g` of a sum, which is applied to each row of a table.
pub trait Summand<F>: Sync {
    /// The degree of `g` in its inputs together, at least 1. Rounds are wrong, and refused, if it is higher than said.
    fn degree(&self) -> usize;

    /// How many field elements `evaluate` wants to write intermediate values to.
    fn scratch(&self) -> usize {
        0
    }

    /// `g` of one row of inputs. `scratch` has the requested length and any contents.
    fn evaluate(&self, inputs: &[F], scratch: &mut [F]) -> F;
}

/// The values of `p_1, …, p_m` on the hypercube, side by side: row `i` is `[p_1(i), …, p_m(i)]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<F> {
    values: Vec<F>,
    width: usize,
}

impl<F: PrimeField> Table<F> {
    /// A table of rows of `width` values, one row after the other.
    ///
    /// # Errors
    ///
    /// [`Error::Table`] unless there are a power of two of rows.
    pub fn new(values: Vec<F>, width: usize) -> Result<Self, Error> {
        if width == 0 || !values.len().is_multiple_of(width) || !(values.len() / width).is_power_of_two() {
            return Err(Error::Table { values: values.len(), width });
        }
        Ok(Self { values, width })
    }

    /// How many polynomials it holds.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many variables they have.
    pub fn variables(&self) -> usize {
        (self.values.len() / self.width).ilog2() as usize
    }

    /// All values, row after row.
    pub fn values(&self) -> &[F] {
        &self.values
    }

    pub(super) fn bind_first(&mut self, r: &F) {
        bind_first(&mut self.values, r);
    }

    /// The rows where the first variable is 0, and those where it is 1. There must be a variable left.
    pub(super) fn halves(&self) -> (&[F], &[F]) {
        self.values.split_at(self.values.len() / 2)
    }
}

/// One sum `Σ_x w(x) g(p_1(x), …, p_m(x))`, as its prover has it. The table is used up.
pub struct Instance<'a, F> {
    /// What the sum is. A wrong one gives a proof that is refused.
    pub sum: F,
    /// `w`, where there is one.
    pub weight: Option<&'a ProductPolynomial<F>>,
    /// The values of the `p_i`.
    pub table: Table<F>,
    /// `g`.
    pub summand: &'a dyn Summand<F>,
}

impl<F: PrimeField> Instance<'_, F> {
    /// The claim that the verifier starts from.
    ///
    /// # Errors
    ///
    /// [`Error::Table`] when the weight has other variables than the table.
    pub fn claim(&self) -> Result<Claim<F>, Error> {
        let variables = self.table.variables();
        if self.weight.is_some_and(|weight| weight.variables() != variables) {
            return Err(Error::Table { values: self.table.values.len(), width: self.table.width });
        }
        let degree = self.summand.degree() + usize::from(self.weight.is_some());
        Ok(Claim { variables, degree, sum: self.sum })
    }
}
