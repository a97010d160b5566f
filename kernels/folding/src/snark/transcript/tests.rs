use halo2curves::bn256::{Fq, Fr, G1Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::grumpkin;

use super::Transcript;
use crate::snark::testing::{random_points, random_scalars, rng};

fn hex(scalar: Fr) -> String {
    scalar.to_repr().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn challenges_are_those_of_the_published_construction() {
    // Nova 0.75, src/provider/keccak.rs, for bn256 without its feature `evm`.
    let mut transcript = Transcript::new(b"test");
    transcript.absorb_scalar(b"s1", &Fr::from(2));
    transcript.absorb_scalar(b"s2", &Fr::from(5));
    let first: Fr = transcript.challenge(b"c1");
    transcript.absorb_scalar(b"s3", &Fr::from(128));
    let second: Fr = transcript.challenge(b"c2");
    assert_eq!(hex(first), "0f8d4f359394760435374d3d603ce0e970ea12f7a05e88eccd52d845f4ac542a");
    assert_eq!(hex(second), "6b32523d63dedd6fb51d5dfc127b9d133cad433ea0b38c4627abadd0e4404c10");
}

/// What a run of a protocol absorbs, each item of a different kind.
struct Items {
    scalar: Fr,
    scalars: Vec<Fr>,
    other_field: Fq,
    point: G1Affine,
    points: Vec<grumpkin::G1Affine>,
    bytes: Vec<u8>,
}

/// A challenge after each item, and one of the other field at the end.
fn challenges(items: &Items) -> Vec<[u8; 32]> {
    let mut transcript = Transcript::new(b"items");
    let mut drawn = Vec::new();
    let mut draw = |transcript: &mut Transcript| {
        drawn.push(transcript.challenge::<Fr>(b"challenge").to_repr().into());
    };
    transcript.absorb_scalar(b"scalar", &items.scalar);
    draw(&mut transcript);
    transcript.absorb_scalars(b"scalars", &items.scalars);
    draw(&mut transcript);
    transcript.absorb_scalar(b"other field", &items.other_field);
    draw(&mut transcript);
    transcript.absorb_point(b"point", &items.point);
    draw(&mut transcript);
    transcript.absorb_points(b"points", &items.points);
    draw(&mut transcript);
    transcript.absorb_bytes(b"bytes", &items.bytes);
    draw(&mut transcript);
    drawn.push(transcript.challenge::<Fq>(b"challenge").to_repr().into());
    drawn
}

#[test]
fn every_absorbed_item_changes_every_later_challenge() {
    let rng = &mut rng(1);
    let items = || {
        let rng = &mut crate::snark::testing::rng(2);
        Items {
            scalar: Fr::random(&mut *rng),
            scalars: random_scalars(rng, 2),
            other_field: Fq::random(&mut *rng),
            point: random_points(rng, 1)[0],
            points: random_points(rng, 2),
            bytes: vec![1, 2, 3],
        }
    };
    let honest = challenges(&items());
    let other_point: G1Affine = random_points(rng, 1)[0];
    type Change = Box<dyn Fn(&mut Items)>;
    let changes: Vec<(usize, Change)> = vec![
        (0, Box::new(|items| items.scalar += Fr::ONE)),
        (1, Box::new(|items| items.scalars[1] += Fr::ONE)),
        (1, Box::new(|items| items.scalars.push(Fr::ZERO))),
        (1, Box::new(|items| items.scalars.clear())),
        (2, Box::new(|items| items.other_field = -items.other_field)),
        (3, Box::new(|items| items.point = -items.point)),
        (3, Box::new(move |items| items.point = other_point)),
        (3, Box::new(|items| items.point = G1Affine::default())),
        (4, Box::new(|items| items.points.swap(0, 1))),
        (4, Box::new(|items| items.points.truncate(1))),
        (5, Box::new(|items| items.bytes[2] ^= 1)),
        (5, Box::new(|items| items.bytes.push(0))),
    ];
    for (index, (position, change)) in changes.into_iter().enumerate() {
        let mut changed = items();
        change(&mut changed);
        let changed = challenges(&changed);
        assert_eq!(changed[..position], honest[..position], "change {index} reaches back");
        for later in position..honest.len() {
            assert_ne!(changed[later], honest[later], "change {index} is lost at challenge {later}");
        }
    }
}

#[test]
fn sequences_do_not_run_into_each_other() {
    let [a, b, c] = [1, 2, 3].map(Fr::from);
    let drawn = |first: &[Fr], second: &[Fr]| {
        let mut transcript = Transcript::new(b"sequences");
        transcript.absorb_scalars(b"", first);
        transcript.absorb_scalars(b"", second);
        transcript.challenge::<Fr>(b"challenge")
    };
    assert_ne!(drawn(&[a, b], &[c]), drawn(&[a], &[b, c]));
    assert_ne!(drawn(&[a, b, c], &[]), drawn(&[], &[a, b, c]));
}

#[test]
fn labels_and_the_order_of_challenges_count() {
    let start = Transcript::new(b"a");
    let draw = |transcript: &Transcript, label| transcript.clone().challenge::<Fr>(label);
    assert_ne!(draw(&start, b"x"), draw(&start, b"y"));
    assert_ne!(draw(&start, b"x"), draw(&Transcript::new(b"b"), b"x"));
    let mut absorbed = start.clone();
    absorbed.absorb_scalar(b"label", &Fr::ONE);
    let mut relabelled = start.clone();
    relabelled.absorb_scalar(b"lapel", &Fr::ONE);
    assert_ne!(draw(&absorbed, b"x"), draw(&relabelled, b"x"));
    let mut twice = start.clone();
    let first: Fr = twice.challenge(b"x");
    assert_ne!(first, twice.challenge(b"x"));
}

#[test]
fn coordinates_off_the_curve_are_absorbed_without_a_panic() {
    let off_curve = G1Affine { x: Fq::ONE, y: Fq::ONE };
    let mut transcript = Transcript::new(b"off curve");
    transcript.absorb_point(b"point", &off_curve);
    assert_ne!(transcript.challenge::<Fr>(b"x"), Transcript::new(b"off curve").challenge::<Fr>(b"x"));
}
