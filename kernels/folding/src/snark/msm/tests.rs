use halo2curves::CurveAffine;
use halo2curves::bn256::{Fq, Fr, G1Affine};
use halo2curves::ff::Field;
use halo2curves::group::{Curve, Group};
use halo2curves::grumpkin;
use rayon::prelude::*;

use super::{digits::Digits, msm, window_bits};
use crate::snark::testing::{random_points, random_scalars, rng};

/// By definition.
fn naive<C: CurveAffine>(scalars: &[C::ScalarExt], points: &[C]) -> C {
    let products = scalars.iter().zip(points).map(|(scalar, point)| *point * *scalar);
    products.fold(C::CurveExt::identity(), |sum, product| sum + product).to_affine()
}

fn assert_sum<C: CurveAffine>(scalars: &[C::ScalarExt], points: &[C]) {
    assert_eq!(msm(scalars, points).to_affine(), naive(scalars, points), "{} points", points.len());
}

#[test]
fn sums_of_few_and_of_many_points_are_those_of_the_definition() {
    fn check<C: CurveAffine>() {
        let rng = &mut rng(1);
        for count in [0, 1, 2, 63, 64, 65, 200, 1000, 3000] {
            assert_sum::<C>(&random_scalars(rng, count), &random_points(rng, count));
        }
    }
    check::<G1Affine>();
    check::<grumpkin::G1Affine>();
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

#[test]
fn scalars_at_the_edges_are_no_exceptions() {
    let rng = &mut rng(3);
    let points: Vec<G1Affine> = random_points(rng, 300);
    let half = Fr::from(2).invert().unwrap();
    let edges = [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(2), -Fr::from(2), half, -half, Fr::from(u64::MAX)];
    let powers = (0..254).map(|i| Fr::from(2).pow([i]));
    let scalars: Vec<Fr> = edges.into_iter().chain(powers).chain([Fr::ONE; 38]).collect();
    assert_sum(&scalars, &points);
    assert_sum(&vec![Fr::ZERO; 300], &points);
    assert_sum(&vec![-Fr::ONE; 300], &points);
}

#[test]
fn coordinates_off_the_curve_count_as_nothing() {
    let rng = &mut rng(4);
    for count in [3, 100] {
        let scalars: Vec<Fr> = random_scalars(rng, count);
        let mut points: Vec<G1Affine> = random_points(rng, count);
        let expected = naive(&scalars[1..], &points[1..]);
        points[0] = G1Affine { x: Fq::ONE, y: Fq::ONE };
        assert_eq!(msm(&scalars, &points).to_affine(), expected);
    }
}

#[test]
fn digits_of_every_width_add_up_to_the_scalar() {
    let mut scalars: Vec<Fr> = random_scalars(&mut rng(5), 20);
    scalars.extend([Fr::ZERO, Fr::ONE, -Fr::ONE]);
    for bits in 3..=16 {
        let digits = Digits::new(scalars.par_iter().copied(), bits);
        let mut sums = vec![Fr::ZERO; scalars.len()];
        for window in (0..digits.windows()).rev() {
            for (sum, digit) in sums.iter_mut().zip(digits.of_window(window)) {
                assert!(digit.unsigned_abs() <= 1 << (bits - 1));
                let size = Fr::from(u64::from(digit.unsigned_abs()));
                *sum = *sum * Fr::from(1 << bits) + if digit < 0 { -size } else { size };
            }
        }
        assert_eq!(sums, scalars, "{bits} bits");
    }
}

#[test]
fn windows_widen_with_the_number_of_points() {
    let widths: Vec<usize> = (6..20).map(|k| window_bits::<Fr>(1 << k)).collect();
    assert!(widths.is_sorted(), "{widths:?}");
}
