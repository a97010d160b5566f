use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::{Curve as _, Group};
use halo2curves::{bn256, grumpkin};
use rand_chacha::ChaCha20Rng;
use rand_core::{RngCore, SeedableRng};

use super::digits::Signing;
use super::{Table, msm};
use crate::commitment::Curve;

fn naive<C: Curve>(scalars: &[C::Scalar], bases: &[C]) -> C::Curve {
    bases.iter().zip(scalars).map(|(base, scalar)| *base * *scalar).sum()
}

fn bases<C: Curve>(count: usize, rng: &mut ChaCha20Rng) -> Vec<C> {
    let difference = C::Curve::random(&mut *rng);
    let points = std::iter::successors(Some(C::Curve::random(rng)), |point| Some(*point + difference));
    points.take(count).map(|point| point.to_affine()).collect()
}

/// Scalars as they occur in witnesses, and the ends of the range.
fn scalar<F: PrimeField>(rng: &mut ChaCha20Rng) -> F {
    let half = F::TWO_INV;
    match rng.next_u32() % 12 {
        0 => F::ZERO,
        1 => F::ONE,
        2 => -F::ONE,
        3 => -F::from(rng.next_u64() % 5),
        4 => half,
        5 => half - F::ONE,
        6 => F::from(rng.next_u64()),
        7 => -F::from(rng.next_u64()),
        8 => F::from(2).pow_vartime([rng.next_u64() % 254]),
        9 => F::from(rng.next_u64() % 4),
        _ => F::random(rng),
    }
}

fn sums_of_any_length_are_those_of_the_definition<C: Curve>() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for len in [0, 1, 2, 3, 4, 7, 31, 64, 255, 700, 3000] {
        let bases = bases::<C>(len, &mut rng);
        let mixed: Vec<C::Scalar> = (0..len).map(|_| scalar(&mut rng)).collect();
        assert_eq!(msm(&mixed, &bases), naive(&mixed, &bases), "{len} mixed scalars");
        let small: Vec<C::Scalar> = (0..len).map(|_| C::Scalar::from(rng.next_u64() % 4)).collect();
        assert_eq!(msm(&small, &bases), naive(&small, &bases), "{len} small scalars");
    }
}

#[test]
fn sums_on_bn256_are_those_of_the_definition() {
    sums_of_any_length_are_those_of_the_definition::<bn256::G1Affine>();
}

#[test]
fn sums_on_grumpkin_are_those_of_the_definition() {
    sums_of_any_length_are_those_of_the_definition::<grumpkin::G1Affine>();
}

#[test]
fn long_sums_agree_with_another_implementation() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let bases = bases::<bn256::G1Affine>(1 << 14, &mut rng);
    let random: Vec<bn256::Fr> = bases.iter().map(|_| bn256::Fr::random(&mut rng)).collect();
    let ones = vec![bn256::Fr::ONE; bases.len()];
    for scalars in [random, ones] {
        assert_eq!(msm(&scalars, &bases), halo2curves::msm::msm_best(&scalars, &bases));
    }
}

#[test]
fn equal_opposite_and_identity_bases_are_added_rightly() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let [a, b] = [0, 1].map(|_| bn256::G1::random(&mut rng).to_affine());
    let choices = [a, -a, a, b, bn256::G1Affine::default(), -b, a];
    for len in [2, 3, 5, 17, 200, 2000] {
        let bases: Vec<_> = (0..len).map(|_| choices[rng.next_u32() as usize % choices.len()]).collect();
        for scalars in [vec![bn256::Fr::ONE; len], (0..len).map(|_| scalar(&mut rng)).collect()] {
            assert_eq!(msm(&scalars, &bases), naive(&scalars, &bases), "{len} terms");
        }
    }
    assert_eq!(msm(&[bn256::Fr::ONE; 2], &[a, -a]), bn256::G1::identity());
}

#[test]
fn a_sum_does_not_depend_on_the_number_of_threads() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let bases = bases::<grumpkin::G1Affine>(1500, &mut rng);
    let scalars: Vec<grumpkin::Fr> = (0..1500).map(|_| scalar(&mut rng)).collect();
    let expected = naive(&scalars, &bases);
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| msm(&scalars, &bases)), expected, "{threads} threads");
        let of_table = pool.install(|| Table::new(&bases).msm(0, &scalars));
        assert_eq!(of_table, expected, "a table, {threads} threads");
    }
}

fn tables_give_the_sums_of_the_definition<C: Curve>() {
    let mut rng = ChaCha20Rng::seed_from_u64(6);
    for len in [1, 2, 5, 100, 1300] {
        let bases = bases::<C>(len, &mut rng);
        let table = Table::new(&bases);
        for (offset, count) in [(0, len), (0, len / 2), (len / 3, len - len / 3), (len, 0)] {
            let scalars: Vec<C::Scalar> = (0..count).map(|_| scalar(&mut rng)).collect();
            let expected = naive(&scalars, &bases[offset..]);
            assert_eq!(table.msm(offset, &scalars), expected, "{count} of {len} from {offset}");
        }
    }
}

#[test]
fn tables_on_bn256_give_the_sums_of_the_definition() {
    tables_give_the_sums_of_the_definition::<bn256::G1Affine>();
}

#[test]
fn tables_on_grumpkin_give_the_sums_of_the_definition() {
    tables_give_the_sums_of_the_definition::<grumpkin::G1Affine>();
}

#[test]
fn digits_of_every_width_make_up_the_scalar() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let signing = Signing::new::<bn256::Fr>();
    let signed = |digit: i32| {
        let magnitude = bn256::Fr::from(u64::from(digit.unsigned_abs()));
        if digit < 0 { -magnitude } else { magnitude }
    };
    for _ in 0..500 {
        let scalar = scalar::<bn256::Fr>(&mut rng);
        let halved = signing.signed(&scalar);
        for width in 2..=16 {
            let base = bn256::Fr::from(1 << width);
            let digits =
                (0..super::width::digits(halved.bits() as usize, width)).map(|i| halved.digit(i, width));
            let sum = digits.rev().fold(bn256::Fr::ZERO, |sum, digit| {
                assert!(digit.unsigned_abs() <= 1 << (width - 1), "{digit} is too large for width {width}");
                sum * base + signed(digit)
            });
            assert_eq!(sum, scalar, "width {width}");
        }
    }
}

#[test]
fn a_scalar_is_as_short_as_its_negation() {
    let signing = Signing::new::<grumpkin::Fr>();
    for small in [0, 1, 2, 3, 1000, u64::MAX] {
        let scalar = grumpkin::Fr::from(small);
        assert_eq!(signing.signed(&scalar).bits(), 64 - small.leading_zeros());
        assert_eq!(signing.signed(&-scalar).bits(), 64 - small.leading_zeros());
    }
    assert_eq!(signing.signed(&grumpkin::Fr::TWO_INV).bits(), 253);
}
