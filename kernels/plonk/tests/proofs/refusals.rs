//! What is not proven says why, without a panic.

use elastic_plonk::{Error, Prover};
use halo2_axiom::{halo2curves::bn256::Fr, plonk::keygen_pk2};

use crate::support::{
    Setup, Shplonk,
    mixed::{Mixed, Shape},
    params,
};

const SHAPE: Shape = Shape { challenge: false, ..Shape::ALL };

#[test]
fn prover_rejects_a_key_of_another_size_with_both_sizes() {
    let key = keygen_pk2(&params(6), &Mixed::shape(SHAPE), false).unwrap();
    let error = Prover::new(&params(7), &key).unwrap_err();
    assert!(matches!(error, Error::KeyOfAnotherSize { key: 6, params: 7 }), "{error}");
    let error = Prover::new(&params(5), &key).unwrap_err();
    assert!(matches!(error, Error::SrsTooSmall { k: 6, needed: 64, points: 32 }), "{error}");
    assert_eq!(error.to_string(), "the set-up parameters have 32 points and the key needs 64 (2^6)");
}

#[test]
fn prover_rejects_instances_that_do_not_fit_the_circuit() {
    let setup = Setup::new(6, &Mixed::shape(SHAPE));
    let circuit = Mixed::new(SHAPE, Fr::from(3));
    let instances = circuit.instances();
    let prove = |circuits: &[Mixed], instances: &[Vec<Vec<Fr>>]| {
        setup.prove::<Shplonk, _>(1, circuits, instances).unwrap_err()
    };
    let one = [circuit.clone()];

    let error = prove(&one, &[]);
    assert!(matches!(error, Error::InstanceCount { circuits: 1, instances: 0 }), "{error}");
    let error = prove(&[], std::slice::from_ref(&instances));
    assert!(matches!(error, Error::InstanceCount { circuits: 0, instances: 1 }), "{error}");
    let error = prove(&[], &[]);
    assert!(matches!(error, Error::NoCircuit), "{error}");

    let error = prove(&one, &[vec![instances[0].clone()]]);
    assert!(matches!(error, Error::InstanceColumns { circuit: 0, columns: 1, expected: 2 }), "{error}");

    let usable = 64 - (setup.key.get_vk().cs().blinding_factors() + 1);
    let long = vec![vec![Fr::from(3); usable + 1], instances[1].clone()];
    let error = prove(&[circuit.clone(), circuit], &[instances, long]);
    assert!(
        matches!(error, Error::InstanceTooLong { circuit: 1, column: 0, values, usable: of } if of == usable && values == usable + 1),
        "{error}"
    );
}

#[test]
fn prover_rejects_an_unknown_witness_with_its_cell() {
    let setup = Setup::new(6, &Mixed::shape(SHAPE));
    let instances = [Mixed::new(SHAPE, Fr::from(3)).instances()];
    let error = setup.prove::<Shplonk, _>(1, &[Mixed::shape(SHAPE)], &instances).unwrap_err();
    assert!(matches!(error, Error::UnknownWitness { column: 0, row: 0 }), "{error}");
}

#[test]
fn prover_rejects_a_witness_of_more_rows_than_there_are() {
    let setup = Setup::new(5, &Mixed::shape(Shape { steps: 10, ..SHAPE }));
    let longer = Mixed::new(Shape { steps: 30, ..SHAPE }, Fr::from(3));
    let error = setup.prove::<Shplonk, _>(1, &[longer], &[vec![Vec::new(), Vec::new()]]).unwrap_err();
    assert!(matches!(error, Error::CellOutside { column: 0, row: 26, columns: 4, usable: 26 }), "{error}");
}

#[test]
fn prover_rejects_several_circuits_of_several_phases() {
    let setup = Setup::new(6, &Mixed::shape(Shape::ALL));
    let circuits = [1, 2].map(|start| Mixed::new(Shape::ALL, Fr::from(start)));
    let instances: Vec<_> = circuits.iter().map(Mixed::instances).collect();
    let error = setup.prove::<Shplonk, _>(1, &circuits, &instances).unwrap_err();
    assert!(matches!(error, Error::SeveralPhases { circuits: 2, phases: 2 }), "{error}");
}

#[test]
fn prover_rejects_a_gate_of_a_higher_degree_than_its_key() {
    // halo2-axiom takes 5 for the highest degree unless the circuit asks for more.
    let shape = Shape { degree: 7, minimum_degree: Some(3), ..Shape::NONE };
    let key = keygen_pk2(&params(5), &Mixed::shape(shape), false).unwrap();
    let error = Prover::new(&params(5), &key).unwrap_err();
    assert!(matches!(error, Error::Degree { degree: 7, limit: 5 }), "{error}");
}
