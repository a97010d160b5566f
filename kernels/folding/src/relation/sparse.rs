//! Sparse linear combinations, one a row.

use halo2curves::ff::PrimeField;

/// A sparse matrix by rows, over indices of the vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseRows<F> {
    /// Where the entries of each row start, and where the last row's end.
    starts: Vec<u32>,
    columns: Vec<u32>,
    coefficients: Vec<F>,
}

impl<F: PrimeField> SparseRows<F> {
    /// A matrix without rows.
    #[must_use]
    pub fn new() -> Self {
        Self { starts: vec![0], columns: Vec::new(), coefficients: Vec::new() }
    }

    /// Adds a row of entries, each an index of the vector and a coefficient.
    ///
    /// # Panics
    /// Beyond 2^32 entries.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u32, F)>) {
        for (column, coefficient) in entries {
            self.columns.push(column);
            self.coefficients.push(coefficient);
        }
        self.starts.push(u32::try_from(self.columns.len()).expect("a circuit has fewer than 2^32 entries"));
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The entries of a row.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = (u32, F)> + '_ {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        self.columns[range.clone()].iter().copied().zip(self.coefficients[range].iter().copied())
    }

    /// A row's combination of the vector.
    #[must_use]
    pub fn product(&self, row: usize, z: &[F]) -> F {
        let mut sum = F::ZERO;
        for (column, coefficient) in self.row(row) {
            // Most coefficients are 1, and a comparison is cheaper than a product.
            let value = z[column as usize];
            sum += if coefficient == F::ONE { value } else { value * coefficient };
        }
        sum
    }

    /// One more than the highest index in use.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.columns.iter().max().map_or(0, |column| *column as usize + 1)
    }
}

impl<F: PrimeField> Default for SparseRows<F> {
    fn default() -> Self {
        Self::new()
    }
}
