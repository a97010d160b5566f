//! A proof is of its seed alone.

use halo2_axiom::halo2curves::bn256::Fr;
use rayon::ThreadPoolBuilder;

use crate::support::{
    Setup, Shplonk,
    mixed::{Mixed, Shape},
};

#[test]
fn proof_of_a_seed_is_the_same_for_any_number_of_threads() {
    // More rows than one thread expands at once.
    let setup = Setup::new(12, &Mixed::shape(Shape::NONE));
    let circuits = [Mixed::new(Shape::NONE, Fr::from(3))];
    let by = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| setup.prove::<Shplonk, _>(1, &circuits, &[Vec::new()])).expect("a proof")
    };
    let one = by(1);
    assert_eq!(one, by(2));
    assert_eq!(one, by(7));
    assert_ne!(one, setup.prove::<Shplonk, _>(2, &circuits, &[Vec::new()]).expect("a proof"));
}
