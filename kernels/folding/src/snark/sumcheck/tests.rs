//! Completeness against the sum by definition, and what a verifier refuses.

mod blocks;
mod challenges;
mod complete;
mod refused;

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rand_chacha::ChaCha20Rng;

use super::{Instance, Summand, Table};
use crate::snark::multilinear::{ProductPolynomial, evaluate};
use crate::snark::testing::random_scalars;

/// `x_0^d + 2 x_0 x_1 + x_2 … x_(d+1) + 3`, of the degree `d` that it is made with.
#[derive(Clone, Copy)]
struct Mixed(usize);

impl Mixed {
    fn width(self) -> usize {
        self.0 + 2
    }
}

impl Summand<Fr> for Mixed {
    fn degree(&self) -> usize {
        self.0
    }

    fn scratch(&self) -> usize {
        1
    }

    fn evaluate(&self, inputs: &[Fr], scratch: &mut [Fr]) -> Fr {
        scratch[0] = inputs[0].pow_vartime([self.0 as u64]);
        let cross = if self.0 > 1 { inputs[0] * inputs[1] } else { inputs[1] };
        scratch[0] + cross.double() + inputs[2..].iter().product::<Fr>() + Fr::from(3)
    }
}

/// A sum as a test owns it.
struct Sum {
    weight: Option<ProductPolynomial<Fr>>,
    table: Table<Fr>,
    summand: Mixed,
}

impl Sum {
    fn random(
        rng: &mut ChaCha20Rng,
        variables: usize,
        degree: usize,
        weight: Option<ProductPolynomial<Fr>>,
    ) -> Self {
        let summand = Mixed(degree);
        let values = random_scalars(rng, summand.width() << variables);
        Self { weight, table: Table::new(values, summand.width()).unwrap(), summand }
    }

    /// The sum over the hypercube, by definition.
    fn naive(&self) -> Fr {
        let weights = self.weight.as_ref().map(ProductPolynomial::table);
        let rows = self.table.values().chunks(self.table.width());
        rows.enumerate()
            .map(|(i, row)| {
                let weight = weights.as_ref().map_or(Fr::ONE, |weights| weights[i]);
                weight * self.summand.evaluate(row, &mut [Fr::ZERO])
            })
            .sum()
    }

    fn instance(&self) -> Instance<'_, Fr> {
        Instance {
            sum: self.naive(),
            weight: self.weight.as_ref(),
            table: self.table.clone(),
            summand: &self.summand,
        }
    }

    /// The values of the table's polynomials at `point`, by definition.
    fn inputs(&self, point: &[Fr]) -> Vec<Fr> {
        let width = self.table.width();
        let column =
            |i: usize| -> Vec<Fr> { self.table.values().iter().skip(i).step_by(width).copied().collect() };
        (0..width).map(|i| evaluate(&column(i), point)).collect()
    }

    fn value(&self, point: &[Fr], inputs: &[Fr]) -> Fr {
        let weight = self.weight.as_ref().map_or(Fr::ONE, |weight| weight.evaluate(point));
        weight * self.summand.evaluate(inputs, &mut [Fr::ZERO])
    }
}
