//! Rows that the same polynomials constrain.

use std::ops::Range;

use halo2curves::ff::PrimeField;

use super::{CHUNK, Expression, Program, SparseRows};

/// Where an input of the polynomials comes from, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<F> {
    /// One entry of the vector.
    Cell(Vec<u32>),
    /// A combination of entries.
    Linear(SparseRows<F>),
    /// A constant.
    Fixed(Vec<F>),
}

/// Polynomials, and the rows at which all of them are 0.
#[derive(Clone, Debug)]
pub struct Group<F> {
    name: String,
    expressions: Vec<Expression<F>>,
    program: Program<F>,
    inputs: Vec<Input<F>>,
    rows: usize,
    degree: usize,
}

impl<F: PrimeField> Input<F> {
    fn rows(&self) -> usize {
        match self {
            Self::Cell(cells) => cells.len(),
            Self::Linear(combinations) => combinations.rows(),
            Self::Fixed(values) => values.len(),
        }
    }

    /// Whether it is the same whatever the vector.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self, Self::Fixed(_))
    }

    /// The value at a row.
    #[must_use]
    pub fn value(&self, row: usize, z: &[F]) -> F {
        match self {
            Self::Cell(cells) => z[cells[row] as usize],
            Self::Linear(combinations) => combinations.product(row, z),
            Self::Fixed(values) => values[row],
        }
    }

    /// Writes the values at up to [`CHUNK`] rows; the rest of the chunk is left as it is.
    pub fn gather(&self, rows: Range<usize>, z: &[F], values: &mut [F; CHUNK]) {
        match self {
            Self::Cell(cells) => {
                for (value, cell) in values.iter_mut().zip(&cells[rows]) {
                    *value = z[*cell as usize];
                }
            }
            Self::Linear(combinations) => {
                for (value, row) in values.iter_mut().zip(rows) {
                    *value = combinations.product(row, z);
                }
            }
            Self::Fixed(fixed) => {
                for (value, fixed) in values.iter_mut().zip(&fixed[rows]) {
                    *value = *fixed;
                }
            }
        }
    }
}

impl<F: PrimeField> Group<F> {
    /// A group; its name is for those who read of a violation.
    ///
    /// # Panics
    /// When inputs have different numbers of rows, which is a mistake of the code that built them.
    #[must_use]
    pub fn new(name: impl Into<String>, expressions: Vec<Expression<F>>, inputs: Vec<Input<F>>) -> Self {
        let name = name.into();
        let rows = inputs.first().map_or(0, Input::rows);
        assert!(
            inputs.iter().all(|input| input.rows() == rows),
            "inputs of group {name:?} differ in their rows"
        );
        let degrees: Vec<_> = inputs.iter().map(|input| usize::from(!input.is_fixed())).collect();
        let degree = expressions.iter().map(|expression| expression.degree(&degrees)).max().unwrap_or(0);
        let program = Program::new(&expressions);
        Self { name, expressions, program, inputs, rows, degree }
    }

    /// What the group is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The polynomials as written.
    #[must_use]
    pub fn expressions(&self) -> &[Expression<F>] {
        &self.expressions
    }

    /// The polynomials as evaluated.
    #[must_use]
    pub fn program(&self) -> &Program<F> {
        &self.program
    }

    /// Where the inputs come from.
    #[must_use]
    pub fn inputs(&self) -> &[Input<F>] {
        &self.inputs
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// By how much the numbers of a row's constraints differ from one polynomial to the next: a power of two.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.rows.next_power_of_two()
    }

    /// How many numbers the group takes: polynomials times stride.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.stride() * self.expressions.len()
    }

    /// The highest total degree of a polynomial in the vector's entries.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The rows, in chunks as programs evaluate them.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Range<usize>> + use<F> {
        let rows = self.rows;
        (0..rows.div_ceil(CHUNK)).map(move |chunk| chunk * CHUNK..rows.min((chunk + 1) * CHUNK))
    }

    /// One more than the highest index of the vector in use.
    #[must_use]
    pub fn reach(&self) -> usize {
        let reach = |input: &Input<F>| match input {
            Input::Cell(cells) => cells.iter().max().map_or(0, |cell| *cell as usize + 1),
            Input::Linear(combinations) => combinations.reach(),
            Input::Fixed(_) => 0,
        };
        self.inputs.iter().map(reach).max().unwrap_or(0)
    }
}
