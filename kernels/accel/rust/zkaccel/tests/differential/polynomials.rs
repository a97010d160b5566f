//! The operations of openings, compared with halo2's own arithmetic.

use ark_poly::{DenseUVPolynomial, Polynomial, univariate::DensePolynomial};
use halo2_axiom::arithmetic::{eval_polynomial, kate_division};
use halo2curves::{bn256::Fr, ff::Field};
use zkaccel::Buffer;

use crate::{
    contexts::{for_each_isa, random},
    twins::TwinElement,
};

const SIZES: [usize; 9] = [1, 2, 3, 31, 32, 33, 1023, 1024, 4097];

fn elements(random: &mut impl rand_core::RngCore, n: usize) -> Vec<Fr> {
    (0..n).map(|_| Fr::random(&mut *random)).collect()
}

#[test]
fn quotients_are_those_of_halo2_and_remainders_are_values_at_the_roots() {
    let random = &mut random();
    for n in SIZES {
        let poly = elements(random, n);
        for roots in [vec![], vec![Fr::ZERO], vec![Fr::ONE, -Fr::ONE], elements(random, 4)] {
            let mut expected = poly.clone();
            let mut left = Vec::new();
            for &root in &roots {
                left.push(eval_polynomial(&expected, root));
                expected = kate_division(&expected, root);
                if expected.is_empty() {
                    expected.push(Fr::ZERO);
                }
            }
            expected.resize(n, Fr::ZERO);
            for_each_isa(|context| {
                let mut buffer = Buffer::of(context, &poly).unwrap();
                let mut remainders = vec![Fr::ONE; roots.len()];
                context.at_once().divide(&mut buffer, n, &roots, &mut remainders).unwrap();
                assert!(
                    buffer.to_vec().unwrap() == expected && remainders == left,
                    "{n}, {} roots",
                    roots.len()
                );
            });
        }
    }
}

#[test]
fn a_division_that_was_to_be_exact_says_when_it_is_not() {
    let random = &mut random();
    for n in SIZES {
        let root = Fr::random(&mut *random);
        let mut poly = elements(random, n);
        let value = eval_polynomial(&poly, root);
        poly[0] -= value;
        for_each_isa(|context| {
            let mut buffer = Buffer::of(context, &poly).unwrap();
            context.at_once().divide_exactly(&mut buffer, n, &[root]).unwrap();
            let mut other = Buffer::of(context, &poly).unwrap();
            let refused = context.at_once().divide_exactly(&mut other, n, &[root + Fr::ONE]);
            // A constant that vanishes somewhere vanishes everywhere.
            assert_eq!(refused.is_err(), n > 1);
        });
    }
}

#[test]
fn values_at_points_are_those_of_halo2_and_of_arkworks() {
    let random = &mut random();
    let polys: Vec<_> = SIZES.iter().map(|&n| elements(random, n)).collect();
    let points = [vec![Fr::ZERO, Fr::ONE, -Fr::ONE], elements(random, 2)].concat();
    let expected: Vec<_> =
        polys.iter().flat_map(|poly| points.iter().map(|&point| eval_polynomial(poly, point))).collect();
    for_each_isa(|context| {
        let buffers: Vec<_> = polys.iter().map(|poly| Buffer::of(context, poly).unwrap()).collect();
        let mut values = vec![Fr::ZERO; expected.len()];
        context.at_once().evaluate(&buffers.iter().collect::<Vec<_>>(), &points, &mut values).unwrap();
        assert!(values == expected);
        assert!(buffers[1].evaluate(points[4]).unwrap() == expected[points.len() + 4]);
    });
    let theirs =
        DensePolynomial::from_coefficients_vec(polys[7].iter().map(|element| element.twin()).collect());
    assert_eq!(theirs.evaluate(&points[3].twin()), expected[7 * points.len() + 3].twin());
}

#[test]
fn a_fold_is_the_sum_of_the_polynomials_by_powers_of_the_factor() {
    let random = &mut random();
    for n in SIZES {
        let polys: Vec<_> = [n, n / 2, n.saturating_sub(1), n].iter().map(|&n| elements(random, n)).collect();
        let low: Vec<_> = [0, 1, n.min(3), n].iter().map(|&n| elements(random, n)).collect();
        let factor = Fr::random(&mut *random);
        for with_low in [false, true] {
            let mut expected = vec![Fr::ZERO; n];
            let mut power = Fr::ONE;
            for (poly, low) in polys.iter().zip(&low) {
                for (i, sum) in expected.iter_mut().enumerate() {
                    let of = |coefficients: &[Fr]| coefficients.get(i).copied().unwrap_or(Fr::ZERO);
                    *sum += power * (of(poly) - if with_low { of(low) } else { Fr::ZERO });
                }
                power *= factor;
            }
            for_each_isa(|context| {
                let buffers: Vec<_> = polys.iter().map(|poly| Buffer::of(context, poly).unwrap()).collect();
                let low: Vec<_> = low.iter().map(Vec::as_slice).collect();
                let mut out = Buffer::new(context, n).unwrap();
                let polys: Vec<_> = buffers.iter().collect();
                context.at_once().fold(&polys, factor, with_low.then_some(&low[..]), &mut out).unwrap();
                assert!(out.to_vec().unwrap() == expected, "{n}");
            });
        }
    }
}
