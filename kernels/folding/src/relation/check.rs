//! Whether a vector satisfies a relation.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::{CHUNK, Group, Registers, Relation};

/// A constraint that is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the group.
    pub group: String,
    /// Which of the group's polynomials.
    pub polynomial: usize,
    /// Which of the group's rows.
    pub row: usize,
}

impl<F: PrimeField> Relation<F> {
    /// The values of all constraints, by their numbers, for a vector of the layout's length; 0 where a number has none.
    #[must_use]
    pub fn values(&self, z: &[F]) -> Vec<F> {
        let mut values = vec![F::ZERO; self.numbers()];
        let mut rest = values.as_mut_slice();
        for group in &self.groups {
            let (of_group, after) = rest.split_at_mut(group.numbers());
            rest = after;
            group.write_values(z, of_group);
        }
        values
    }

    /// The first constraints that are not 0, at most `limit` of them.
    #[must_use]
    pub fn violations(&self, z: &[F], limit: usize) -> Vec<Violation> {
        let values = self.values(z);
        self.numbered_groups()
            .flat_map(|(first, group)| {
                let of_group = values[first..first + group.numbers()].iter().enumerate();
                let violated = of_group.filter(|(_, value)| !bool::from(value.is_zero()));
                violated.map(|(index, _)| Violation {
                    group: group.name().to_owned(),
                    polynomial: index / group.stride(),
                    row: index % group.stride(),
                })
            })
            .take(limit)
            .collect()
    }
}

impl<F: PrimeField> Group<F> {
    /// Writes the values of the group's constraints: by polynomial, then row.
    fn write_values(&self, z: &[F], values: &mut [F]) {
        let chunks: Vec<_> = self.chunks().collect();
        let outputs = self.program().outputs();
        let evaluated: Vec<[F; CHUNK]> = chunks
            .par_iter()
            .with_min_len(16)
            .map_init(
                || (vec![[F::ZERO; CHUNK]; self.inputs().len()], Registers::new()),
                |(inputs, registers), rows| {
                    for (input, values) in self.inputs().iter().zip(inputs.iter_mut()) {
                        input.gather(rows.clone(), z, values);
                    }
                    self.program().evaluate(inputs, registers);
                    (0..outputs).map(|output| *self.program().output(output, registers)).collect::<Vec<_>>()
                },
            )
            .flatten_iter()
            .collect();
        for (index, rows) in chunks.into_iter().enumerate() {
            for output in 0..outputs {
                let first = output * self.stride();
                values[first + rows.start..first + rows.end]
                    .copy_from_slice(&evaluated[index * outputs + output][..rows.len()]);
            }
        }
    }
}
