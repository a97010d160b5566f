use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::PrimeField;
use proptest::prelude::*;

use super::{CircuitOracle as _, CircuitSponge};
use crate::circuit::Circuit;
use crate::poseidon::{RandomOracle as _, Spec, Sponge, Tag};
use crate::relation::Relation;

/// Absorbs and squeezes these, in a circuit; the squeezed values are public inputs.
fn in_circuit<F: PrimeField, const T: usize, const RATE: usize>(
    circuit: &mut Circuit<F>,
    boxes: usize,
    runs: &[(Vec<F>, usize)],
) {
    let spec = Spec::<F, T, RATE>::reference().unwrap();
    let mut sponge = CircuitSponge::new(&spec, Tag::new("test"), boxes);
    for (absorbed, squeezed) in runs {
        for element in absorbed {
            let element = circuit.witness(*element);
            sponge.absorb(circuit, &element);
        }
        for _ in 0..*squeezed {
            let squeezed = sponge.squeeze(circuit);
            let public = circuit.public(squeezed.value());
            circuit.enforce_equal(&public, &squeezed);
        }
    }
}

fn off_circuit<F: PrimeField, const T: usize, const RATE: usize>(runs: &[(Vec<F>, usize)]) -> Vec<F> {
    let spec = Spec::<F, T, RATE>::reference().unwrap();
    let mut sponge = Sponge::new(&spec, Tag::new("test"));
    let run = |(absorbed, squeezed): &(Vec<F>, usize)| {
        sponge.absorb_all(absorbed);
        (0..*squeezed).map(|_| sponge.squeeze()).collect::<Vec<_>>()
    };
    runs.iter().flat_map(run).collect()
}

fn shape<F: PrimeField, const T: usize, const RATE: usize>(
    boxes: usize,
    runs: &[(Vec<F>, usize)],
) -> (Relation<F>, Vec<F>) {
    let (mut recorded, mut assigned) = (Circuit::recorded(), Circuit::assigned());
    in_circuit::<F, T, RATE>(&mut recorded, boxes, runs);
    in_circuit::<F, T, RATE>(&mut assigned, boxes, runs);
    let shape = recorded.into_shape().unwrap();
    (Relation::new(shape.layout, shape.groups), assigned.vector())
}

fn agrees<F: PrimeField, const T: usize, const RATE: usize>(boxes: usize, runs: &[(Vec<F>, usize)]) -> bool {
    let (relation, vector) = shape::<F, T, RATE>(boxes, runs);
    let squeezed = off_circuit::<F, T, RATE>(runs);
    relation.violations(&vector, 1).is_empty() && vector[relation.layout().public()] == squeezed
}

fn elements<F: PrimeField>(count: usize, first: u64) -> Vec<F> {
    (0..count as u64).map(|index| F::from(first) - F::from(index * index)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_circuit_squeezes_what_the_sponge_does(first: u64, lengths in prop::collection::vec((0_usize..10, 0_usize..7), 1..4), boxes in 1_usize..11) {
        let fr: Vec<_> = lengths.iter().map(|(absorbed, squeezed)| (elements::<Fr>(*absorbed, first), *squeezed)).collect();
        prop_assert!(agrees::<Fr, 5, 4>(boxes, &fr));
        prop_assert!(agrees::<Fr, 3, 2>(boxes, &fr));
        let fq: Vec<_> = lengths.iter().map(|(absorbed, squeezed)| (elements::<Fq>(*absorbed, first), *squeezed)).collect();
        prop_assert!(agrees::<Fq, 5, 4>(boxes, &fq));
    }
}

#[test]
fn every_variable_of_a_permutation_is_bound() {
    for boxes in [1, 4, 5] {
        let (relation, vector) = shape::<Fr, 5, 4>(boxes, &[(elements(5, 9), 2)]);
        assert_eq!(relation.violations(&vector, 1), vec![]);
        // Elements 1 and 2 of the last state were squeezed; the others of it were not, and bind nothing further, but
        // are bound themselves.
        for entry in 1..vector.len() {
            let mut changed = vector.clone();
            changed[entry] += Fr::from(1);
            assert_ne!(relation.violations(&changed, 1), vec![], "entry {entry} is free with {boxes} a row");
        }
    }
}

#[test]
fn a_permutation_takes_a_variable_for_each_later_s_box() {
    let (relation, _) = shape::<Fr, 5, 4>(5, &[(elements(4, 1), 1)]);
    let layout = relation.layout();
    // 35 + 60 inputs of S-boxes after the first round and 5 of the state; 4 were absorbed.
    assert_eq!((layout.rounds.clone(), layout.publics), (vec![100 + 4], 1));
    assert_eq!(relation.degree(), 5);
}

#[test]
fn the_shape_does_not_depend_on_what_is_absorbed() {
    let digest = |first| shape::<Fr, 5, 4>(5, &[(elements(6, first), 2), (elements(1, first), 1)]).0.digest();
    assert_eq!(digest(0), digest(1_234_567));
}

#[test]
fn hole_01_another_element_is_not_absorbed_in_its_place() {
    // The oracle is bound to the variables it hashes: a witness of other values squeezes something else.
    let runs = |first| vec![(elements::<Fr>(3, first), 1)];
    let (relation, honest) = shape::<Fr, 5, 4>(5, &runs(3));
    let (_, other) = shape::<Fr, 5, 4>(5, &runs(4));
    let mut dishonest = honest.clone();
    let absorbed = relation.layout().round(0).start..relation.layout().round(0).start + 3;
    dishonest[absorbed.clone()].copy_from_slice(&other[absorbed]);
    assert_ne!(relation.violations(&dishonest, 1), vec![]);
    assert_ne!(off_circuit::<Fr, 5, 4>(&runs(3)), off_circuit::<Fr, 5, 4>(&runs(4)));
}
