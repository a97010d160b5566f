//! The introductory computation, with keys and tables of the sizes that it is documented with.

#[path = "../../examples/introductory/circuit.rs"]
mod circuit;

use std::path::Path;

use circuit::Cubic;
use elastic_folding::commitment::{Curve, Error};
use elastic_folding::prelude::bn256::{C1Affine, C1Scalar, C2Affine, C2Scalar, new_default_pp};
use elastic_folding::prelude::{CommitmentKey, IVC, StepCircuit, trivial};

/// A key of 2^19 points, cached for later runs.
fn key<C: Curve>(curve: &'static str) -> Result<CommitmentKey<C>, Error> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("keys");
    // SAFETY: the folder is that of this package's tests.
    #[expect(unsafe_code, reason = "the tests' folder is written by tests alone")]
    unsafe {
        CommitmentKey::load_or_setup_cache(&folder, curve, 19)
    }
}

#[test]
fn keys_of_size_19_and_tables_of_size_17_prove_the_introductory_computation() {
    let primary_key = key::<C1Affine>("bn256").unwrap();
    let secondary_key = key::<C2Affine>("grumpkin").unwrap();
    let (primary, secondary) = (Cubic, trivial::Circuit::<1, C2Scalar>::default());
    let pp =
        new_default_pp::<1, _, 1, _>(17, &primary_key, &primary, 17, &secondary_key, &secondary).unwrap();

    let (z_0, secondary_z_0) = ([C1Scalar::from(3)], [C2Scalar::from(7)]);
    let mut ivc = IVC::new(&pp, &primary, z_0, &secondary, secondary_z_0, true).unwrap();
    let mut expected = primary.process_step(&z_0, 17).unwrap();
    assert_eq!(expected, [C1Scalar::from(3 * 3 * 3 + 3 + 5)]);
    for _ in 1..4 {
        ivc.fold_step(&pp, &primary, &secondary).unwrap();
        expected = primary.process_step(&expected, 17).unwrap();
    }
    ivc.verify(&pp).unwrap();
    assert_eq!(ivc.verify_with(&pp, 4, &z_0, &secondary_z_0).unwrap(), (expected, secondary_z_0));
}
