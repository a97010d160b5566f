//! Computations that compute nothing: all that is proved is the verifier itself.

use std::num::NonZeroUsize;

use elastic_folding::frontend::trivial;
use elastic_folding::ivc::{CircuitPublicParamsInput, IVC, PublicParams};
use elastic_folding::poseidon::{PoseidonRo, Spec};
use halo2curves::bn256;

use crate::common::{PRIMARY_KEY, SECONDARY_KEY};

type Ro = PoseidonRo<5, 4>;

#[test]
fn steps_that_compute_nothing_verify_one_after_the_other() {
    let (primary, secondary) = (trivial::Circuit::<1, _>::default(), trivial::Circuit::<1, _>::default());
    let pp = PublicParams::<1, 1, 5, _, _, _, _, Ro, Ro>::new(
        CircuitPublicParamsInput::new(17, &PRIMARY_KEY, Spec::reference().unwrap(), &primary),
        CircuitPublicParamsInput::new(17, &SECONDARY_KEY, Spec::reference().unwrap(), &secondary),
        NonZeroUsize::new(68).unwrap(),
        NonZeroUsize::new(4).unwrap(),
    )
    .unwrap();
    let z = [bn256::Fr::from(3)];
    let z2 = [bn256::Fq::from(4)];
    let mut ivc = IVC::new(&pp, &primary, z, &secondary, z2, true).unwrap();
    ivc.verify(&pp).unwrap();
    for _ in 0..5 {
        ivc.fold_step(&pp, &primary, &secondary).unwrap();
        ivc.verify(&pp).unwrap();
    }
    assert_eq!(ivc.verify_with(&pp, 6, &z, &z2).unwrap(), (z, z2));
}
