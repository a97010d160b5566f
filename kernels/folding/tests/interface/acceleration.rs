//! What an accelerator computes, by definition, and what it refuses.

use elastic_folding::acceleration::{Accelerator, Cpu, Direction, Error};
use elastic_folding::commitment::Curve;
use halo2curves::ff::{Field, PrimeField};
use halo2curves::{bn256, grumpkin};

use crate::inputs::{points, scalars};

fn transform<C: Curve>(elements: &mut [C::Scalar], direction: Direction) -> Result<(), Error> {
    Accelerator::<C>::transform(&Cpu, elements, direction)
}

fn sums_are_those_of_the_definition<C: Curve>() {
    for count in [0, 1, 2, 100, 1000] {
        let bases = points::<C>(count, 1);
        let kept = Cpu.keep(&bases).unwrap();
        assert_eq!((kept.len(), kept.is_empty()), (count, count == 0));
        for (what, scalars) in scalars::<C::Scalar>(count, 2) {
            for offset in [0, count / 3, count] {
                let (scalars, bases) = (&scalars[offset..], &bases[offset..]);
                let expected: C::Curve =
                    bases.iter().zip(scalars).map(|(base, scalar)| *base * *scalar).sum();
                assert_eq!(Cpu.msm(scalars, bases).unwrap(), expected, "{count} {what}");
                assert_eq!(kept.msm(offset, scalars).unwrap(), expected, "{count} {what}, kept");
            }
        }
    }
}

#[test]
fn sums_on_bn256_are_those_of_the_definition() {
    sums_are_those_of_the_definition::<bn256::G1Affine>();
}

#[test]
fn sums_on_grumpkin_are_those_of_the_definition() {
    sums_are_those_of_the_definition::<grumpkin::G1Affine>();
}

#[test]
fn sums_of_more_scalars_than_bases_or_fewer_are_refused() {
    let bases = points::<bn256::G1Affine>(5, 1);
    let scalars = vec![bn256::Fr::ONE; 6];
    assert!(matches!(Cpu.msm(&scalars, &bases), Err(Error::Lengths { scalars: 6, bases: 5 })));
    assert!(matches!(Cpu.msm(&scalars[..4], &bases), Err(Error::Lengths { scalars: 4, bases: 5 })));
    let kept = Cpu.keep(&bases).unwrap();
    assert!(matches!(kept.msm(0, &scalars), Err(Error::Range { end: 6, len: 5 })));
    assert!(matches!(kept.msm(5, &scalars[..1]), Err(Error::Range { end: 6, len: 5 })));
    assert!(matches!(kept.msm(usize::MAX, &scalars), Err(Error::Range { .. })));
    assert!(kept.msm(5, &[]).is_ok());
}

fn values_are_those_at_powers_of_the_root<C: Curve>(k_max: u32) {
    for k in 0..=k_max {
        let len = 1usize << k;
        let omega = C::Scalar::ROOT_OF_UNITY.pow_vartime([1 << (C::Scalar::S - k)]);
        let [(_, coefficients), ..] = scalars::<C::Scalar>(len, 3);
        let at =
            |x| coefficients.iter().rev().fold(C::Scalar::ZERO, |sum, coefficient| sum * x + coefficient);
        let mut elements = coefficients.clone();
        transform::<C>(&mut elements, Direction::Forward).unwrap();
        for i in [0, 1, len / 2, len - 1] {
            assert_eq!(elements[i % len], at(omega.pow_vartime([(i % len) as u64])), "value {i} of 2^{k}");
        }
        transform::<C>(&mut elements, Direction::Inverse).unwrap();
        assert_eq!(elements, coefficients, "2^{k}");
    }
}

#[test]
fn a_transform_gives_the_values_at_powers_of_the_root_and_its_inverse_the_coefficients() {
    values_are_those_at_powers_of_the_root::<bn256::G1Affine>(13);
    values_are_those_at_powers_of_the_root::<grumpkin::G1Affine>(1);
}

#[test]
fn a_transform_does_not_depend_on_the_number_of_threads() {
    let [(_, coefficients), ..] = scalars::<bn256::Fr>(1 << 10, 4);
    let values = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut elements = coefficients.clone();
        pool.install(|| transform::<bn256::G1Affine>(&mut elements, Direction::Inverse)).unwrap();
        elements
    };
    let expected = values(1);
    for threads in [2, 3, 8] {
        assert_eq!(values(threads), expected, "{threads} threads");
    }
}

#[test]
fn a_transform_of_a_length_that_the_field_has_none_of_is_refused() {
    let mut elements = vec![bn256::Fr::ONE; 6];
    for len in [0, 3, 6] {
        let refused = transform::<bn256::G1Affine>(&mut elements[..len], Direction::Forward).unwrap_err();
        assert!(matches!(refused, Error::TransformLen { k_max: 28, .. }), "{refused}");
    }
    assert_eq!(elements, [bn256::Fr::ONE; 6]);
    let refused =
        transform::<grumpkin::G1Affine>(&mut [grumpkin::Fr::ONE; 4], Direction::Inverse).unwrap_err();
    assert!(matches!(refused, Error::TransformLen { len: 4, k_max: 1 }), "{refused}");
}
