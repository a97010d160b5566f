//! The advice columns of one circuit on the host.

use crate::{
    engine::Engine,
    error::Result,
    secret::{SecretColumn, SecretValues},
};
use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Assigned,
};

/// Advice columns of `rows` cells, zero where nothing was assigned.
pub(crate) struct Cells {
    rows: usize,
    numerators: Vec<SecretValues>,
    /// Of the columns that have a fraction somewhere.
    denominators: Vec<Option<SecretValues>>,
}

impl Cells {
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        Self {
            rows,
            numerators: (0..columns).map(|_| SecretValues(vec![Fr::ZERO; rows])).collect(),
            denominators: (0..columns).map(|_| None).collect(),
        }
    }

    pub(crate) fn columns(&self) -> usize {
        self.numerators.len()
    }

    /// Writes a cell, which is there.
    pub(crate) fn assign(&mut self, column: usize, row: usize, value: &Assigned<Fr>) {
        self.numerators[column][row] = value.numerator();
        match (value.denominator(), &mut self.denominators[column]) {
            (None, None) => {}
            (None, Some(denominators)) => denominators[row] = Fr::ONE,
            (Some(denominator), Some(denominators)) => denominators[row] = denominator,
            (Some(denominator), none) => {
                let mut denominators = SecretValues(vec![Fr::ONE; self.rows]);
                denominators[row] = denominator;
                *none = Some(denominators);
            }
        }
    }

    /// The values of a column, whose place is empty then. A fraction over zero is zero.
    pub(crate) fn take(&mut self, engine: &Engine<'_>, column: usize) -> Result<SecretValues> {
        let mut values = std::mem::take(&mut self.numerators[column]);
        if let Some(denominators) = self.denominators[column].take() {
            let mut inverses = SecretColumn::of(engine.context(), &denominators)?;
            engine.invert(&mut inverses)?;
            let inverses = SecretValues(inverses.to_vec()?);
            for (value, inverse) in values.iter_mut().zip(inverses.iter()) {
                *value *= inverse;
            }
        }
        Ok(values)
    }
}
