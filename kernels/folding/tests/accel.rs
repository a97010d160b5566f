//! The acceleration library computes what this library computes.
#![allow(clippy::unwrap_used)]

use elastic_folding::acceleration::{Accelerator, Cpu, Direction, Error, Zkaccel};
use elastic_folding::commitment::{self, CommitmentKey, Curve};
use halo2curves::ff::Field;
use halo2curves::{bn256, grumpkin};
use proptest::prelude::*;
use zkaccel::{Backend, Config, Context, Status};

mod inputs;
use inputs::{points, scalars};

fn on_the_cpu(host_bytes_max: u64) -> Context {
    Context::new(&Config { backend: Backend::Cpu, host_bytes_max, ..Config::default() }).unwrap()
}

fn sums_are_equal<C: Curve>()
where
    Zkaccel: Accelerator<C>,
{
    let accel = Zkaccel::new(&on_the_cpu(0));
    for count in [0, 1, 2, 3, 64, 1000, 1 << 13] {
        let bases = points::<C>(count, 1);
        let kept = accel.keep(&bases).unwrap();
        assert_eq!(kept.len(), count);
        for (what, scalars) in scalars::<C::Scalar>(count, 2) {
            assert_eq!(
                accel.msm(&scalars, &bases).unwrap(),
                Cpu.msm(&scalars, &bases).unwrap(),
                "{count} {what}"
            );
            for (offset, end) in [(0, count), (count / 3, count), (count / 4, count / 2), (count, count)] {
                let expected = Cpu.msm(&scalars[offset..end], &bases[offset..end]).unwrap();
                let of_kept = kept.msm(offset, &scalars[offset..end]).unwrap();
                assert_eq!(of_kept, expected, "{what} {offset}..{end} of {count}");
            }
        }
    }
}

#[test]
fn sums_on_bn256_are_those_of_this_library() {
    sums_are_equal::<bn256::G1Affine>();
}

#[test]
fn sums_on_grumpkin_are_those_of_this_library() {
    sums_are_equal::<grumpkin::G1Affine>();
}

/// Which of the bases is the first of a sum, and how many terms the sum has.
fn ranges(bases: usize) -> impl Strategy<Value = (usize, usize)> {
    (0..=bases).prop_flat_map(move |offset| (Just(offset), 0..=bases - offset))
}

/// Any part of bases that are kept, with and without multiples of them.
fn parts_are_equal<C: Curve>(bases: usize, cases: u32)
where
    Zkaccel: Accelerator<C>,
{
    let points = points::<C>(bases, 5);
    let kept = Zkaccel::new(&on_the_cpu(0)).keep(&points).unwrap();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    proptest!(config, |((offset, len) in ranges(bases), seed in any::<u64>(), kind in 0..4_usize)| {
        let (what, scalars) = &scalars::<C::Scalar>(len, seed)[kind];
        let expected = Cpu.msm(scalars, &points[offset..offset + len]).unwrap();
        prop_assert_eq!(kept.msm(offset, scalars).unwrap(), expected, "{}", what);
    });
}

#[test]
fn sums_over_any_part_of_kept_bases_are_those_of_this_library() {
    for (bases, cases) in [(700, 24), (5000, 12), (17_000, 4)] {
        parts_are_equal::<bn256::G1Affine>(bases, cases);
        parts_are_equal::<grumpkin::G1Affine>(bases, cases);
    }
}

fn transforms_are_equal<C: Curve>(k_max: u32)
where
    Zkaccel: Accelerator<C>,
{
    let accel = Zkaccel::new(&on_the_cpu(0));
    // Each size twice: what is kept for it is then used again.
    for k in (0..=k_max).chain(0..=k_max) {
        for (what, elements) in scalars::<C::Scalar>(1 << k, 3) {
            for direction in [Direction::Forward, Direction::Inverse] {
                let [mut ours, mut theirs] = [elements.clone(), elements.clone()];
                Accelerator::<C>::transform(&Cpu, &mut ours, direction).unwrap();
                accel.transform(&mut theirs, direction).unwrap();
                assert_eq!(theirs, ours, "{direction:?}, 2^{k} {what}");
            }
        }
    }
}

#[test]
fn transforms_are_those_of_this_library() {
    transforms_are_equal::<bn256::G1Affine>(14);
    transforms_are_equal::<grumpkin::G1Affine>(1);
}

fn commitments_are_equal<C: Curve>()
where
    Zkaccel: Accelerator<C>,
{
    let key = CommitmentKey::<C>::setup(8, b"test").unwrap();
    let accel = Zkaccel::new(&on_the_cpu(0));
    let mut accelerated = key.clone();
    accelerated.accelerate(&accel, 200).unwrap();
    for (what, vector) in scalars::<C::Scalar>(256, 4) {
        for (offset, len) in [(0, 200), (50, 150), (0, 201), (0, 256), (255, 1)] {
            let expected = key.commit_at(offset, &vector[..len]).unwrap();
            assert_eq!(accelerated.commit_at(offset, &vector[..len]).unwrap(), expected, "{what}, {len}");
            assert_eq!(key.commit_with(&accel, offset, &vector[..len]).unwrap(), expected, "{what}, {len}");
        }
    }
    let vectors = scalars::<C::Scalar>(200, 6).map(|(_, vector)| vector);
    let of_other_lengths = [vectors[0][..7].to_vec(), vec![], vectors[1].clone()];
    for vectors in [&vectors[..], &of_other_lengths, &[], &[vec![], vec![]]] {
        assert_eq!(accelerated.commit_each(vectors).unwrap(), key.commit_each(vectors).unwrap());
    }
    let too_long = [vec![C::Scalar::ONE; 257]];
    assert!(matches!(accelerated.commit_each(&too_long), Err(commitment::Error::TooLong { end: 257, .. })));
}

#[test]
fn commitments_are_those_of_this_library() {
    commitments_are_equal::<bn256::G1Affine>();
    commitments_are_equal::<grumpkin::G1Affine>();
}

#[test]
fn lengths_that_do_not_fit_are_refused_as_by_this_library() {
    let accel = Zkaccel::new(&on_the_cpu(0));
    let bases = points::<bn256::G1Affine>(5, 1);
    let mut ones = vec![bn256::Fr::ONE; 6];
    assert!(matches!(accel.msm(&ones, &bases), Err(Error::Lengths { scalars: 6, bases: 5 })));
    let kept = accel.keep(&bases).unwrap();
    assert!(matches!(kept.msm(2, &ones[..4]), Err(Error::Range { end: 6, len: 5 })));
    let refused = Accelerator::<bn256::G1Affine>::transform(&accel, &mut ones, Direction::Forward);
    assert!(matches!(refused, Err(Error::TransformLen { len: 6, k_max: 28 })));
    let refused =
        Accelerator::<grumpkin::G1Affine>::transform(&accel, &mut [grumpkin::Fr::ONE; 4], Direction::Forward);
    assert!(matches!(refused, Err(Error::TransformLen { len: 4, k_max: 1 })));
}

#[test]
fn a_failure_of_the_library_is_an_error_that_says_it_and_changes_nothing() {
    let accel = Zkaccel::new(&on_the_cpu(1 << 16));
    let out_of_memory = |error: &Error| match error {
        Error::Device(source) => {
            let source = source.downcast_ref::<zkaccel::Error>().unwrap();
            source.status() == Status::OutOfHostMemory
        }
        _ => false,
    };
    let bases = points::<bn256::G1Affine>(1 << 12, 1);
    let [(_, scalars), ..] = scalars::<bn256::Fr>(1 << 12, 2);
    assert!(out_of_memory(&accel.msm(&scalars, &bases).unwrap_err()));
    assert!(out_of_memory(&accel.keep(&bases).unwrap_err()));
    let mut elements = scalars.clone();
    let refused = Accelerator::<bn256::G1Affine>::transform(&accel, &mut elements, Direction::Forward);
    assert!(out_of_memory(&refused.unwrap_err()));
    assert_eq!(elements, scalars);

    let mut key = CommitmentKey::<bn256::G1Affine>::setup(12, b"test").unwrap();
    let commitment = key.commit(&scalars).unwrap();
    let refused = key.accelerate(&accel, key.len()).unwrap_err();
    assert!(matches!(&refused, commitment::Error::Acceleration(error) if out_of_memory(error)));
    assert_eq!(key.commit(&scalars).unwrap(), commitment);
}
