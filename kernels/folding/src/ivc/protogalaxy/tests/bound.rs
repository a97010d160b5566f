//! No variable of either circuit can take another value while the rest stay.

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::fixture::{parameters, run};
use super::points::{point, vector};
use crate::relation::{CHUNK, Group, Input, Registers, Relation};

/// The chunks of rows in which each entry of the vector occurs.
fn occurrences<F: PrimeField>(relation: &Relation<F>) -> Vec<Vec<(usize, usize)>> {
    let mut all = vec![Vec::new(); relation.layout().len()];
    for (number, group) in relation.groups().iter().enumerate() {
        for input in group.inputs() {
            for row in 0..group.rows() {
                let place = (number, row / CHUNK);
                match input {
                    Input::Cell(cells) => all[cells[row] as usize].push(place),
                    Input::Linear(combinations) => {
                        combinations.row(row).for_each(|(column, _)| all[column as usize].push(place));
                    }
                    Input::Fixed(_) => {}
                }
            }
        }
    }
    for places in &mut all {
        places.sort_unstable();
        places.dedup();
    }
    all
}

/// Whether a row of the chunk is not satisfied.
fn is_violated<F: PrimeField>(group: &Group<F>, chunk: usize, z: &[F], registers: &mut Registers<F>) -> bool {
    let rows = chunk * CHUNK..group.rows().min((chunk + 1) * CHUNK);
    let mut inputs = vec![[F::ZERO; CHUNK]; group.inputs().len()];
    for (input, values) in group.inputs().iter().zip(&mut inputs) {
        input.gather(rows.clone(), z, values);
    }
    group.program().evaluate(&inputs, registers);
    (0..group.program().outputs()).any(|output| {
        group.program().output(output, registers)[..rows.len()].iter().any(|value| *value != F::ZERO)
    })
}

/// The entries, but for the constant, that may be one more or a multiple of what they are.
fn free<F: PrimeField>(relation: &Relation<F>, vector: &[F]) -> Vec<usize> {
    assert_eq!(relation.violations(vector, 1), vec![]);
    let occurrences = occurrences(relation);
    (1..vector.len())
        .into_par_iter()
        .map_init(
            || (vector.to_vec(), Registers::new()),
            |(vector, registers), index| {
                let value = vector[index];
                let bound = [value + F::ONE, value.double() + F::from(3)].into_iter().all(|other| {
                    vector[index] = other;
                    occurrences[index].iter().any(|(group, chunk)| {
                        is_violated(&relation.groups()[*group], *chunk, vector, registers)
                    })
                });
                vector[index] = value;
                (!bound).then_some(index)
            },
        )
        .flatten_iter()
        .collect()
}

#[test]
fn every_variable_of_the_primary_circuit_is_bound() {
    let state = run(4).state;
    assert_eq!(free::<Fr>(&parameters().primary.relation, &state.latest_vector), vec![]);
}

#[test]
fn every_variable_of_the_secondary_circuit_is_bound() {
    let vector = vector([[point(5), point(9)], [point(7), point(6)]], 77);
    assert_eq!(free::<Fq>(&parameters().secondary.relation, &vector), vec![]);
}
