//! Which constraints a variable occurs in, so that a changed one is checked by those alone.

use std::collections::{BTreeMap, BTreeSet};

use halo2curves::ff::PrimeField;

use crate::relation::{Input, Relation};

/// A row of a group, both by number.
type Row = (u32, u32);

/// A relation with the rows of each variable.
pub(super) struct Rows<'a, F> {
    relation: &'a Relation<F>,
    /// By variable; each row once.
    of: Vec<Vec<Row>>,
}

/// Where a variable is alone as an input of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// The name of the row's group.
    pub(super) group: &'a str,
    /// The number of the input.
    pub(super) input: usize,
    row: Row,
}

impl<'a, F: PrimeField> Rows<'a, F> {
    pub(super) fn new(relation: &'a Relation<F>) -> Self {
        let mut of = vec![Vec::new(); relation.layout().len()];
        for (number, group) in (0..).zip(relation.groups()) {
            for input in group.inputs() {
                for (at, row) in (0..group.rows()).zip(0..) {
                    entries(input, at, |variable| of[variable].push((number, row)));
                }
            }
        }
        for rows in &mut of {
            rows.sort_unstable();
            rows.dedup();
        }
        Self { relation, of }
    }

    /// Of the variables that occur in the same inputs of the same groups, so many, spread over all of them.
    pub(super) fn sample(&self, of_each: usize) -> BTreeSet<usize> {
        let mut inputs_of = vec![BTreeSet::new(); self.of.len()];
        for (number, group) in self.relation.groups().iter().enumerate() {
            for (input, place) in group.inputs().iter().zip(0_usize..) {
                for row in 0..group.rows() {
                    entries(input, row, |variable| {
                        inputs_of[variable].insert((number, place));
                    });
                }
            }
        }
        let mut alike = BTreeMap::<_, Vec<usize>>::new();
        for (variable, inputs) in inputs_of.into_iter().enumerate().skip(1) {
            alike.entry(inputs).or_default().push(variable);
        }
        let spread = |variables: Vec<usize>| {
            let step = variables.len().div_ceil(of_each);
            variables.into_iter().step_by(step)
        };
        alike.into_values().flat_map(spread).collect()
    }

    /// Whether a constraint that the variable occurs in does not hold.
    pub(super) fn refuse(&self, variable: usize, z: &[F]) -> bool {
        self.of[variable].iter().any(|row| {
            let inputs = self.inputs(*row, z);
            let group = &self.relation.groups()[row.0 as usize];
            group
                .expressions()
                .iter()
                .any(|expression| !bool::from(expression.evaluate(&|input| inputs[input]).is_zero()))
        })
    }

    /// The variable's only place, where it has one and is alone there.
    pub(super) fn only_place(&self, variable: usize) -> Option<Place<'a>> {
        let [row] = self.of[variable][..] else { return None };
        let group = &self.relation.groups()[row.0 as usize];
        let mut place = None;
        for (number, input) in group.inputs().iter().enumerate() {
            let mut all = Vec::new();
            entries(input, row.1 as usize, |other| all.push(other));
            if all.contains(&variable) {
                if all.len() > 1 || place.is_some() {
                    return None;
                }
                place = Some(Place { group: group.name(), input: number, row });
            }
        }
        place
    }

    /// The values of a row's inputs.
    pub(super) fn inputs_at(&self, place: Place<'_>, z: &[F]) -> Vec<F> {
        self.inputs(place.row, z)
    }

    fn inputs(&self, (group, row): Row, z: &[F]) -> Vec<F> {
        let inputs = self.relation.groups()[group as usize].inputs().iter();
        inputs.map(|input| input.value(row as usize, z)).collect()
    }

    /// Where a variable occurs, for a test that fails.
    pub(super) fn describe(&self, variable: usize) -> String {
        let names = self.of[variable]
            .iter()
            .map(|(group, row)| format!("{} {row}", self.relation.groups()[*group as usize].name()));
        names.collect::<Vec<_>>().join(", ")
    }
}

fn entries<F: PrimeField>(input: &Input<F>, row: usize, mut each: impl FnMut(usize)) {
    match input {
        Input::Cell(cells) => each(cells[row] as usize),
        Input::Linear(combinations) => combinations.row(row).for_each(|(column, _)| each(column as usize)),
        Input::Fixed(_) => {}
    }
}
