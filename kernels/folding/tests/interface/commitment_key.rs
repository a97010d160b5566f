//! Commitment keys: what they commit to, where their points come from, and that they are the same everywhere.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::{BigInteger, Field as _, PrimeField as _};
use elastic_folding::acceleration::{self, Accelerator, Bases, Cpu, Direction};
use elastic_folding::commitment::{CommitmentKey, Curve, Error, KEY_SIZE_MAX};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::Curve as _;
use halo2curves::{bn256, grumpkin};
use rand_chacha::ChaCha20Rng;
use rand_core::{RngCore, SeedableRng};
use sha2::{Digest, Sha256};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

fn random<F: PrimeField>(count: usize, seed: u64) -> Vec<F> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    (0..count).map(|_| F::random(&mut rng)).collect()
}

/// Bits, small digits, words and full-width elements, as witnesses have.
fn witness<F: PrimeField>(count: usize, seed: u64) -> Vec<F> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut entry = || match rng.next_u32() % 8 {
        0 => F::random(&mut rng),
        1 => F::from(rng.next_u64()),
        2 => -F::from(rng.next_u64() % 4),
        _ => F::from(rng.next_u64() % 4),
    };
    (0..count).map(|_| entry()).collect()
}

fn bytes_of<F: PrimeField>(element: &F) -> Vec<u8> {
    element.to_repr().as_ref().to_vec()
}

fn ark_field<A: ark_ff::PrimeField, F: PrimeField>(element: &F) -> A {
    A::from_le_bytes_mod_order(&bytes_of(element))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

macro_rules! on_each_curve {
    (
        alone: { $($name:ident => $body:ident,)* }
        beside_arkworks: { $($ark_name:ident => $ark_body:ident,)* }
    ) => {
        mod on_bn256 {
            use super::*;
            $(#[test] fn $name() { $body::<bn256::G1Affine>(); })*
            $(#[test] fn $ark_name() { $ark_body::<bn256::G1Affine, ark_bn254::g1::Config>(); })*
        }
        mod on_grumpkin {
            use super::*;
            $(#[test] fn $name() { $body::<grumpkin::G1Affine>(); })*
            $(#[test] fn $ark_name() { $ark_body::<grumpkin::G1Affine, ark_grumpkin::GrumpkinConfig>(); })*
        }
    };
}

on_each_curve! {
    alone: {
        a_commitment_is_the_sum_of_points_times_entries => sum_of_points_times_entries,
        a_commitment_is_linear_in_the_vector => linear_in_the_vector,
        entries_at_an_offset_are_a_vector_with_zeros_before_them => zeros_before_them,
        a_vector_that_is_too_long_is_refused_with_the_size_it_needs => too_long,
        another_accelerator_gives_the_commitments_to_what_it_keeps => another_accelerator,
        what_an_accelerator_refuses_is_an_error_and_leaves_the_key_as_it_was => failing_accelerator,
        commits_alike_with_prepared_points => prepared_points,
        a_smaller_key_is_the_start_of_a_larger_one => start_of_a_larger_one,
        keys_of_different_labels_have_no_point_in_common => no_point_in_common,
        a_key_does_not_depend_on_the_number_of_threads => number_of_threads,
        the_digest_names_size_and_label => size_and_label,
    }
    beside_arkworks: {
        a_commitment_is_what_arkworks_computes => what_arkworks_computes,
        the_points_are_those_that_the_documented_derivation_gives => documented_derivation,
    }
}

fn sum_of_points_times_entries<C: Curve>() {
    let key = CommitmentKey::<C>::setup(8, b"test").unwrap();
    for len in [0, 1, 2, 100, 256] {
        for vector in [random::<C::Scalar>(len, 1), witness(len, 2)] {
            let sum: C::Curve = key.points().iter().zip(&vector).map(|(point, entry)| *point * *entry).sum();
            assert_eq!(key.commit(&vector).unwrap(), sum.to_affine(), "{len} entries");
        }
    }
}

fn what_arkworks_computes<C: Curve, P: SWCurveConfig>()
where
    P::BaseField: ark_ff::PrimeField,
{
    let key = CommitmentKey::<C>::setup(12, b"test").unwrap();
    let bases: Vec<Affine<P>> = key.points().iter().map(ark_point).collect();
    for vector in [random::<C::Scalar>(1 << 12, 3), witness(1 << 12, 4), witness(1000, 5)] {
        let scalars: Vec<P::ScalarField> = vector.iter().map(ark_field).collect();
        let expected = Projective::<P>::msm(&bases[..scalars.len()], &scalars).unwrap().into_affine();
        assert_eq!(ark_point::<C, P>(&key.commit(&vector).unwrap()), expected);
    }
}

/// The same point in arkworks, which panics if it is not on the curve as arkworks has it.
fn ark_point<C: Curve, P: SWCurveConfig>(point: &C) -> Affine<P>
where
    P::BaseField: ark_ff::PrimeField,
{
    let (x, y) = point.xy();
    Affine::new(ark_field(&x), ark_field(&y))
}

fn linear_in_the_vector<C: Curve>() {
    let key = CommitmentKey::<C>::setup(9, b"test").unwrap();
    let [a, b] = [random::<C::Scalar>(512, 6), witness(512, 7)];
    let factor = random::<C::Scalar>(1, 8)[0];
    let combined: Vec<C::Scalar> = a.iter().zip(&b).map(|(a, b)| *a + factor * b).collect();
    let expected = key.commit(&a).unwrap() + (key.commit(&b).unwrap() * factor).into();
    assert_eq!(key.commit(&combined).unwrap(), expected.to_affine());
}

fn zeros_before_them<C: Curve>() {
    let key = CommitmentKey::<C>::setup(7, b"test").unwrap();
    let part = random::<C::Scalar>(40, 9);
    for offset in [0, 1, 50, 88] {
        let mut padded = vec![C::Scalar::ZERO; offset];
        padded.extend(&part);
        assert_eq!(key.commit_at(offset, &part).unwrap(), key.commit(&padded).unwrap());
    }
}

fn too_long<C: Curve>() {
    let key = CommitmentKey::<C>::setup(3, b"test").unwrap();
    let zeros = vec![C::Scalar::ZERO; 17];
    let needed = |result: Result<C, Error>| match result {
        Err(Error::TooLong { k: 3, needed_k, .. }) => needed_k,
        other => panic!("not refused as too long: {other:?}"),
    };
    assert_eq!(needed(key.commit(&zeros[..9])), 4);
    assert_eq!(needed(key.commit(&zeros[..16])), 4);
    assert_eq!(needed(key.commit(&zeros)), 5);
    assert_eq!(needed(key.commit_at(8, &zeros[..1])), 4);
    assert_eq!(needed(key.commit_at(usize::MAX, &zeros)), 64);
    assert!(key.commit_at(8, &[]).is_ok());
    assert!(key.commit(&zeros[..9]).unwrap_err().to_string().contains("size 4"));
}

/// Computes twice what is requested, of all that it can keep, and fails where nothing is requested.
struct Doubling {
    keeps_at_most: usize,
}

#[derive(Debug)]
struct Kept<C>(Vec<C>);

impl<C: Curve> Accelerator<C> for Doubling {
    fn msm(&self, scalars: &[C::Scalar], bases: &[C]) -> Result<C::Curve, acceleration::Error> {
        let sum = Cpu.msm(scalars, bases)?;
        if scalars.is_empty() {
            Err(acceleration::Error::Device("nothing to do".into()))
        } else {
            Ok(sum + sum)
        }
    }

    fn keep(&self, bases: &[C]) -> Result<Box<dyn Bases<C>>, acceleration::Error> {
        if bases.len() > self.keeps_at_most {
            return Err(acceleration::Error::Terms { terms: bases.len(), max: self.keeps_at_most });
        }
        Ok(Box::new(Kept(bases.to_vec())))
    }

    fn transform(&self, _: &mut [C::Scalar], _: Direction) -> Result<(), acceleration::Error> {
        unreachable!("commitments transform nothing")
    }
}

impl<C: Curve> Bases<C> for Kept<C> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn msm(&self, offset: usize, scalars: &[C::Scalar]) -> Result<C::Curve, acceleration::Error> {
        Doubling { keeps_at_most: 0 }.msm(scalars, &self.0[offset..offset + scalars.len()])
    }
}

fn another_accelerator<C: Curve>() {
    let key = CommitmentKey::<C>::setup(5, b"test").unwrap();
    let vector = random::<C::Scalar>(30, 10);
    let doubled: Vec<C::Scalar> = vector.iter().map(Field::double).collect();
    let doubling = Doubling { keeps_at_most: 20 };
    assert_eq!(key.commit_with(&doubling, 1, &vector).unwrap(), key.commit_at(1, &doubled).unwrap());

    let mut accelerated = key.clone();
    accelerated.accelerate(&doubling, 20).unwrap();
    for (offset, len) in [(0, 20), (3, 17), (0, 1)] {
        let expected = key.commit_at(offset, &doubled[..len]).unwrap();
        assert_eq!(accelerated.commit_at(offset, &vector[..len]).unwrap(), expected, "{len} from {offset}");
    }
    for (offset, len) in [(0, 21), (3, 18), (20, 1)] {
        let expected = key.commit_at(offset, &vector[..len]).unwrap();
        assert_eq!(accelerated.commit_at(offset, &vector[..len]).unwrap(), expected, "{len} from {offset}");
    }
    assert_eq!(accelerated.digest(), key.digest());
}

fn failing_accelerator<C: Curve>() {
    let mut key = CommitmentKey::<C>::setup(5, b"test").unwrap();
    let doubling = Doubling { keeps_at_most: 20 };
    let is_device = |error| matches!(error, Error::Acceleration(acceleration::Error::Device(_)));
    assert!(is_device(key.commit_with(&doubling, 0, &[]).unwrap_err()));
    let refused = key.accelerate(&doubling, usize::MAX).unwrap_err();
    assert!(matches!(refused, Error::Acceleration(acceleration::Error::Terms { terms: 32, max: 20 })));
    assert!(key.commit(&[]).is_ok());
    key.accelerate(&doubling, 20).unwrap();
    assert!(is_device(key.commit(&[]).unwrap_err()));
}

fn prepared_points<C: Curve>() {
    let key = CommitmentKey::<C>::setup(9, b"test").unwrap();
    let vector = witness::<C::Scalar>(512, 11);
    for prepared in [0, 1, 100, 512, 10_000] {
        let mut faster = key.clone();
        faster.accelerate(&Cpu, prepared).unwrap();
        for (offset, len) in [(0, 0), (0, 1), (0, 99), (0, 101), (60, 40), (60, 41), (0, 512), (511, 1)] {
            let part = &vector[..len];
            assert_eq!(faster.commit_at(offset, part).unwrap(), key.commit_at(offset, part).unwrap());
        }
        assert!(faster.commit_at(1, &vector).is_err());
        assert_eq!(faster.digest(), key.digest());
    }
}

/// The derivation once more, from its documentation, over arkworks' fields.
fn derived<P: SWCurveConfig>(name: &str, label: &[u8], index: u64) -> Affine<P>
where
    P::BaseField: ark_ff::PrimeField,
{
    let mut seed = b"elastic-folding generators v1".to_vec();
    for part in [name.as_bytes(), label] {
        seed.extend((part.len() as u64).to_le_bytes());
        seed.extend(part);
    }
    let seed = Sha256::digest(&seed);
    for attempt in 0u32.. {
        let mut hash = Shake256::default();
        Update::update(&mut hash, &[&seed[..], &index.to_le_bytes(), &attempt.to_le_bytes()].concat());
        let mut bytes = [0; 65];
        hash.finalize_xof().read(&mut bytes);
        let x = P::BaseField::from_le_bytes_mod_order(&bytes[..64]);
        if let Some(y) = (x * x * x + P::COEFF_B).sqrt() {
            let y = if y.into_bigint().is_odd() == (bytes[64] % 2 == 1) { y } else { -y };
            return Affine::new(x, y);
        }
    }
    unreachable!("half of all abscissas have a point")
}

fn documented_derivation<C: Curve, P: SWCurveConfig>()
where
    P::BaseField: ark_ff::PrimeField,
{
    for label in ["bn256", "another label"] {
        let key = CommitmentKey::<C>::setup(6, label.as_bytes()).unwrap();
        for (index, point) in (0..).zip(key.points()) {
            assert_eq!(
                ark_point::<C, P>(point),
                derived::<P>(C::NAME, label.as_bytes(), index),
                "point {index}"
            );
        }
    }
}

fn start_of_a_larger_one<C: Curve>() {
    let small = CommitmentKey::<C>::setup(0, b"test").unwrap();
    let large = CommitmentKey::<C>::setup(5, b"test").unwrap();
    assert_eq!((small.len(), large.len()), (1, 32));
    assert_eq!(small.points(), &large.points()[..1]);
}

fn no_point_in_common<C: Curve>() {
    let [one, other] = [&b"one"[..], b"other"].map(|label| CommitmentKey::<C>::setup(6, label).unwrap());
    let mut abscissas: Vec<_> =
        one.points().iter().chain(other.points()).map(|point| bytes_of(&point.xy().0)).collect();
    abscissas.sort();
    abscissas.dedup();
    assert_eq!(abscissas.len(), 128);
}

fn number_of_threads<C: Curve>() {
    let digest = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| CommitmentKey::<C>::setup(9, b"test").unwrap().digest())
    };
    let expected = digest(1);
    assert_eq!([2, 3, 7].map(digest), [expected; 3]);
}

fn size_and_label<C: Curve>() {
    let digest = |k, label: &[u8]| CommitmentKey::<C>::setup(k, label).unwrap().digest();
    let expected = digest(4, b"test");
    assert_eq!(digest(4, b"test"), expected);
    assert_ne!(digest(5, b"test"), expected);
    assert_ne!(digest(4, b"tesu"), expected);
}

#[test]
fn the_digests_of_keys_stay_what_they_are() {
    // From the first version; a key whose digest changes makes all that was proved with it void.
    let bn256 = CommitmentKey::<bn256::G1Affine>::setup(10, b"bn256").unwrap();
    assert_eq!(hex(&bn256.digest()), "0a854eb5423dff4e48e877c4fe4d2f4f5b2576563418d9341c1e6f6a1337cf64");
    let grumpkin = CommitmentKey::<grumpkin::G1Affine>::setup(10, b"grumpkin").unwrap();
    assert_eq!(hex(&grumpkin.digest()), "7518392b00ce33d76e5fed5fc4642b85683886606519136db65679a51e5259bf");
}

#[test]
fn a_key_that_is_too_large_is_refused() {
    let refused = CommitmentKey::<bn256::G1Affine>::setup(KEY_SIZE_MAX + 1, b"bn256");
    assert!(matches!(refused, Err(Error::KeySize { k: 27 })));
}
