//! Sums of points, as arguments take them: with points that a prover chose.

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::Field as _;
use halo2curves::group::{Curve as _, Group as _};

use super::testing::{random_points, random_scalars, rng};
use crate::acceleration::msm;

/// By definition.
fn naive(scalars: &[Fr], points: &[G1Affine]) -> G1Affine {
    let products = scalars.iter().zip(points).map(|(scalar, point)| *point * *scalar);
    products.fold(<G1Affine as CurveAffine>::CurveExt::identity(), |sum, product| sum + product).to_affine()
}

#[test]
fn equal_opposite_and_identity_points_are_no_exceptions() {
    let rng = &mut rng(2);
    let few: Vec<G1Affine> = random_points(rng, 5);
    let scalars: Vec<Fr> = random_scalars(rng, 4);
    for count in [10, 500, 9000] {
        // Few points and few scalars: equal and opposite ones meet in every bucket.
        let points: Vec<G1Affine> = (0..count)
            .map(|i| match i % 7 {
                0 => G1Affine::default(),
                1 | 4 => -few[i % 5],
                _ => few[i % 5],
            })
            .collect();
        let scalars: Vec<Fr> = (0..count).map(|i| scalars[i % 4]).collect();
        let mut by_point = vec![Fr::ZERO; 5];
        for i in (0..count).filter(|i| i % 7 != 0) {
            by_point[i % 5] += if matches!(i % 7, 1 | 4) { -scalars[i] } else { scalars[i] };
        }
        assert_eq!(msm(&scalars, &points).to_affine(), naive(&by_point, &few), "{count} points");
    }
    assert!(bool::from(msm(&vec![Fr::from(5); 10_000], &vec![G1Affine::default(); 10_000]).is_identity()));
    let opposite: Vec<G1Affine> = (0..500).map(|i| if i % 2 == 0 { few[0] } else { -few[0] }).collect();
    assert!(bool::from(msm(&vec![Fr::from(5); 500], &opposite).is_identity()));
}
