//! A relation's digest: what is folded, in 32 bytes.

use halo2curves::ff::PrimeField;
use sha2::{Digest as _, Sha256};

use super::{Expression, Group, Input, Relation};

impl<F: PrimeField> Relation<F> {
    /// SHA-256 of everything that decides which vectors satisfy the relation. Names are left out.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut hash = Writer(Sha256::new());
        hash.0.update(b"elastic-folding relation 1");
        hash.number(self.layout.publics);
        hash.number(self.layout.challenges);
        hash.number(self.layout.rounds.len());
        for round in &self.layout.rounds {
            hash.number(*round);
        }
        hash.number(self.groups.len());
        for group in &self.groups {
            hash.group(group);
        }
        hash.0.finalize().into()
    }
}

/// Each part is written with a tag or its length before it, so that no two relations are written alike.
struct Writer(Sha256);

impl Writer {
    fn number(&mut self, number: usize) {
        self.0.update((number as u64).to_le_bytes());
    }

    fn element<F: PrimeField>(&mut self, element: &F) {
        self.0.update(element.to_repr().as_ref());
    }

    fn group<F: PrimeField>(&mut self, group: &Group<F>) {
        self.number(group.expressions().len());
        for expression in group.expressions() {
            self.expression(expression);
        }
        self.number(group.rows());
        self.number(group.inputs().len());
        for input in group.inputs() {
            self.input(input);
        }
    }

    fn input<F: PrimeField>(&mut self, input: &Input<F>) {
        match input {
            Input::Cell(cells) => {
                self.number(0);
                for cell in cells {
                    self.0.update(cell.to_le_bytes());
                }
            }
            Input::Linear(combinations) => {
                self.number(1);
                for row in 0..combinations.rows() {
                    let entries = combinations.row(row);
                    self.number(entries.len());
                    for (column, coefficient) in entries {
                        self.0.update(column.to_le_bytes());
                        self.element(&coefficient);
                    }
                }
            }
            Input::Fixed(values) => {
                self.number(2);
                for value in values {
                    self.element(value);
                }
            }
        }
    }

    fn expression<F: PrimeField>(&mut self, expression: &Expression<F>) {
        match expression {
            Expression::Constant(value) => {
                self.number(0);
                self.element(value);
            }
            Expression::Input(index) => {
                self.number(1);
                self.number(*index);
            }
            Expression::Sum(left, right) => {
                self.number(2);
                self.expression(left);
                self.expression(right);
            }
            Expression::Product(left, right) => {
                self.number(3);
                self.expression(left);
                self.expression(right);
            }
            Expression::Scaled(inner, factor) => {
                self.number(4);
                self.expression(inner);
                self.element(factor);
            }
            Expression::Negated(inner) => {
                self.number(5);
                self.expression(inner);
            }
        }
    }
}
