//! The co-processor on points that additions treat apart.

use halo2curves::CurveAffine as _;
use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::{Field as _, PrimeField as _};
use halo2curves::group::Curve as _;
use halo2curves::group::prime::PrimeCurveAffine as _;

use super::super::coprocessor;
use super::fixture::{C1, HONEST, parameters, pp};
use crate::circuit::Circuit;
use crate::ivc::encode::coordinates;
use crate::ivc::step::StepValues;

/// The vector of an execution that folds these pairs.
pub(super) fn vector(pairs: [[C1; 2]; 2], gamma: u128) -> Vec<Fq> {
    let parameters = parameters();
    let step = pp().secondary.witness(&HONEST, &[Fq::from(7)]).unwrap();
    let counts = pp().secondary.shape().multiplicities(&step.values).counts;
    let inputs = coprocessor::Inputs {
        commitments: pairs.to_vec(),
        gamma,
        step: StepValues { shape: &parameters.secondary.step, values: &step.values, multiplicities: &counts },
    };
    let mut circuit = Circuit::assigned();
    let placed = coprocessor::build(&mut circuit, &inputs);
    let mut vector = circuit.vector();
    placed.second_round(parameters.secondary.relation.layout(), &mut vector, &[Fq::from(11), Fq::from(13)]);
    vector
}

pub(super) fn point(multiple: u64) -> C1 {
    (C1::generator() * Fr::from(multiple)).to_affine()
}

const GAMMAS: [u128; 4] = [0, 1, 1 << 127, u128::MAX];

#[test]
fn equal_opposite_and_identity_commitments_are_folded_like_others() {
    let (p, q, identity) = (point(5), point(9), C1::identity());
    let double = (p + p).to_affine();
    for [old, new] in [[p, q], [p, p], [p, -p], [p, double], [identity, q], [p, identity], [identity; 2]] {
        for gamma in GAMMAS {
            let vector = vector([[old, new], [new, old]], gamma);
            let relation = &parameters().secondary.relation;
            assert_eq!(relation.violations(&vector, 1), vec![], "{old:?} {new:?} {gamma}");
            let gamma = Fr::from_u128(gamma);
            let fold = |old: C1, new: C1| (old * (Fr::ONE - gamma) + new * gamma).to_affine();
            let expected: Vec<Fq> =
                [old, new, new, old, fold(old, new), fold(new, old)].iter().flat_map(coordinates).collect();
            assert_eq!(vector[relation.layout().public()][..expected.len()], expected);
        }
    }
}

#[test]
fn another_point_in_the_place_of_the_folded_one_is_refused() {
    let relation = &parameters().secondary.relation;
    for [old, new] in [[point(5), point(9)], [point(5); 2], [point(5), -point(5)], [C1::identity(); 2]] {
        for gamma in [0, 77] {
            let honest = vector([[old, new]; 2], gamma);
            for (wrong, first) in [(point(4), 8), (C1::identity(), 8), (point(4), 10)] {
                let mut vector = honest.clone();
                vector[1 + first..3 + first].copy_from_slice(&coordinates(&wrong));
                if vector != honest {
                    assert_ne!(relation.violations(&vector, 1), vec![]);
                }
            }
        }
    }
}

#[test]
fn a_point_off_the_curve_is_refused() {
    let relation = &parameters().secondary.relation;
    let mut vector = vector([[point(5), point(9)]; 2], 77);
    vector[2] += Fq::ONE;
    assert!(bool::from(C1::from_xy(vector[1], vector[2]).is_none()));
    assert_ne!(relation.violations(&vector, 1), vec![]);
}
