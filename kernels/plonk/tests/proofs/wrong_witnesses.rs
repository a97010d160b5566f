//! A wrong witness has no proof that is accepted.

use elastic_plonk::Error;
use halo2_axiom::halo2curves::{bn256::Fr, ff::Field};

use crate::support::{
    Gwc, Setup, Shplonk,
    mixed::{Cell, Mixed, Shape},
};

fn wrong(shape: Shape, cell: Cell) -> Mixed {
    Mixed { wrong: Some(cell), ..Mixed::new(shape, Fr::from(3)) }
}

#[test]
fn verifier_rejects_each_wrong_cell() {
    let shape = Shape { steps: 4, lookups: false, ..Shape::ALL };
    let setup = Setup::new(5, &Mixed::shape(shape));
    let instances = [Mixed::new(shape, Fr::from(3)).instances()];
    for step in 0..shape.steps {
        for cell in [Cell::A(step), Cell::B(step), Cell::C(step), Cell::E(step), Cell::D(step)] {
            let circuits = [wrong(shape, cell)];
            let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).unwrap();
            assert!(!setup.accepts(&proof, &instances), "{cell:?}");
            let proof = setup.prove::<Gwc, _>(1, &circuits, &instances).unwrap();
            assert!(!setup.accepts_gwc(&proof, &instances), "{cell:?}");
        }
    }
}

#[test]
fn verifier_rejects_a_copy_that_differs() {
    // Without the gate that b enters: only the copy of the constant has the first b.
    let shape = Shape { steps: 4, lookups: false, challenge: false, instances: false, ..Shape::ALL };
    let setup = Setup::new(5, &Mixed::shape(shape));
    let circuit = Mixed { first_b: Fr::ONE, ..Mixed::new(shape, Fr::from(3)) };
    let proof = setup.prove::<Shplonk, _>(1, &[circuit], &[Vec::new()]).unwrap();
    assert!(!setup.accepts(&proof, &[Vec::new()]));
    // The same witness without the copy is accepted.
    let shape = Shape { copies: false, ..shape };
    let setup = Setup::new(5, &Mixed::shape(shape));
    let circuit = Mixed { first_b: Fr::ONE, ..Mixed::new(shape, Fr::from(3)) };
    let proof = setup.prove::<Shplonk, _>(1, &[circuit], &[Vec::new()]).unwrap();
    assert!(setup.accepts(&proof, &[Vec::new()]));
}

#[test]
fn prover_names_the_row_of_a_lookup_that_is_not_in_its_table() {
    let shape = Shape { challenge: false, instances: false, copies: false, ..Shape::ALL };
    let setup = Setup::new(6, &Mixed::shape(shape));
    // 15 is in the table and 16 is not.
    let result = setup.prove::<Shplonk, _>(1, &[wrong(shape, Cell::B(15))], &[Vec::new()]);
    assert!(matches!(result, Err(Error::NotInTable { circuit: 0, lookup: 0, row: Some(15) })), "{result:?}");
    // The pair is not, where e is wrong.
    let result = setup.prove::<Shplonk, _>(1, &[wrong(shape, Cell::E(7))], &[Vec::new()]);
    assert!(matches!(result, Err(Error::NotInTable { circuit: 0, lookup: 1, row: Some(7) })), "{result:?}");
    let right = Mixed::new(shape, Fr::ONE);
    let result = setup.prove::<Shplonk, _>(1, &[right, wrong(shape, Cell::E(7))], &[Vec::new(), Vec::new()]);
    assert!(matches!(result, Err(Error::NotInTable { circuit: 1, lookup: 1, row: Some(7) })), "{result:?}");
}

#[test]
fn verifier_rejects_another_instance() {
    for shape in [Shape::ALL, Shape { copies: false, ..Shape::ALL }] {
        let setup = Setup::new(6, &Mixed::shape(shape));
        let circuits = [Mixed::new(shape, Fr::from(3))];
        let instances = [circuits[0].instances()];
        let mut changed = instances.clone();
        changed[0][0][0] += Fr::ONE;
        let proof = setup.prove::<Shplonk, _>(1, &circuits, &changed).unwrap();
        assert!(!setup.accepts(&proof, &changed) && !setup.accepts(&proof, &instances), "{shape:?}");
        let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).unwrap();
        assert!(setup.accepts(&proof, &instances) && !setup.accepts(&proof, &changed), "{shape:?}");
    }
}

#[test]
fn verifier_rejects_a_changed_proof() {
    let setup = Setup::new(6, &Mixed::shape(Shape::ALL));
    let circuits = [Mixed::new(Shape::ALL, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).unwrap();
    for at in (0..proof.len()).step_by(97) {
        let mut changed = proof.clone();
        changed[at] ^= 1;
        assert!(!setup.accepts(&changed, &instances), "byte {at}");
    }
}
