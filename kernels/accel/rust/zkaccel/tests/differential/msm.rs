//! Sums of multiples of points, on both curves, compared with arkworks and with a sum by definition.

use halo2curves::{
    CurveAffine, bn256,
    group::{Curve, Group},
    grumpkin,
};
use zkaccel::{Bases, BasesOptions, Buffer, Context, Element};

use crate::{
    contexts::{for_each_isa, random},
    curve_points::{any_points, kinds_of_points, kinds_of_scalars},
    twins::TwinPoint,
};

const SIZES: [usize; 9] = [0, 1, 2, 3, 31, 32, 33, 255, 257];

fn compare<C: TwinPoint>(context: &Context)
where
    <C as CurveAffine>::ScalarExt: Element,
{
    let random = &mut random();
    for n in SIZES {
        for (points_are, points) in kinds_of_points::<C>(random, n) {
            let bases = Bases::new(context, &points, BasesOptions::default()).unwrap();
            for (scalars_are, scalars) in kinds_of_scalars(random, n) {
                let sum = bases.msm(&Buffer::of(context, &scalars).unwrap()).unwrap().to_affine();
                assert!(sum == C::sum(&points, &scalars), "{n}: {points_are}, {scalars_are}");
            }
        }
    }
}

#[test]
fn sums_over_bn256_are_those_of_arkworks() {
    for_each_isa(compare::<bn256::G1Affine>);
}

#[test]
fn sums_over_grumpkin_are_those_of_arkworks() {
    for_each_isa(compare::<grumpkin::G1Affine>);
}

#[test]
fn sums_of_many_points_are_those_of_arkworks_and_of_halo2curves() {
    let random = &mut random();
    let points = any_points::<bn256::G1Affine>(random, (1 << 13) + 1);
    for n in [1 << 10, 1 << 12, (1 << 13) - 1, 1 << 13, (1 << 13) + 1] {
        for (scalars_are, scalars) in kinds_of_scalars(random, n) {
            let expected = bn256::G1Affine::sum(&points[..n], &scalars);
            assert!(
                expected == halo2curves::msm::msm_best(&scalars, &points[..n]).to_affine(),
                "{n}: {scalars_are}"
            );
            for_each_isa(|context| {
                let sum = context.msm_once(&points[..n], &scalars).unwrap();
                assert!(sum.to_affine() == expected, "{n}: {scalars_are}");
            });
        }
    }
}

#[test]
fn a_batch_with_precomputed_multiples_is_each_of_its_sums() {
    let random = &mut random();
    let (n, first) = (1000, 17);
    let points = any_points::<bn256::G1Affine>(random, n + first);
    let kinds = kinds_of_scalars::<bn256::Fr>(random, n);
    let all: Vec<_> = kinds.iter().flat_map(|(_, scalars)| scalars).copied().collect();
    for_each_isa(|context| {
        let options = BasesOptions { precompute: 3, check: true };
        let bases = Bases::new(context, &points, options).unwrap();
        let mut sums = vec![bn256::G1::identity(); kinds.len()];
        let scalars = Buffer::of(context, &all).unwrap();
        context.at_once().msm(&bases, first, &scalars, 0, n, &mut sums).unwrap();
        let mut affine = vec![bn256::G1Affine::default(); sums.len()];
        context.to_affine(&sums, &mut affine).unwrap();
        for ((scalars_are, scalars), sum) in kinds.iter().zip(affine) {
            assert!(sum == bn256::G1Affine::sum(&points[first..], scalars), "{scalars_are}");
        }
    });
}
