//! Types of halo2curves, of its fork and of arkworks are the library's elements as they are.

use ark_ff::AdditiveGroup;
use halo2curves::{
    bn256,
    ff::{Field, PrimeField},
    group::Curve,
};
use halo2curves_axiom::bn256 as axiom;
use zkaccel::{Bases, BasesOptions, Buffer, limbs};

use crate::{
    contexts::{for_each_isa, random},
    twins::TwinElement,
};

#[test]
fn what_one_crate_writes_another_reads_and_both_mean_the_same_number() {
    let random = &mut random();
    let numbers: Vec<_> =
        (0..100).map(|_| bn256::Fr::random(&mut *random)).chain([bn256::Fr::ZERO]).collect();
    for_each_isa(|context| {
        let buffer = Buffer::of(context, &numbers).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), numbers);
        let mut canonical = vec![[0; 4]; numbers.len()];
        context.at_once().read_canonical(&buffer, 0, &mut canonical).unwrap();
        let mut forked = Buffer::<axiom::Fr>::new(context, numbers.len()).unwrap();
        context.at_once().write_canonical(&mut forked, 0, &canonical).unwrap();
        for ((number, limbs), forked) in numbers.iter().zip(&canonical).zip(forked.to_vec().unwrap()) {
            let bytes: Vec<_> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
            assert_eq!(number.to_repr().as_ref(), bytes);
            assert_eq!(forked.to_bytes().as_slice(), bytes);
            assert_eq!(ark_ff::PrimeField::into_bigint(number.twin()).0, *limbs);
        }
    });
}

#[test]
fn sums_of_points_are_the_same_in_either_crate_and_in_bare_limbs() {
    let scalars = [bn256::Fr::from(5), -bn256::Fr::from(7)];
    let generator = bn256::G1Affine::generator();
    let bare = limbs::G1Affine { x: limbs::Fq(generator.x.0), y: limbs::Fq(generator.y.0) };
    let forked = [axiom::Fr::from(5), -axiom::Fr::from(7)];
    let bare_scalars = scalars.map(|scalar| limbs::Fr(scalar.0));
    for_each_isa(|context| {
        let expected = (generator * -bn256::Fr::from(2)).to_affine();
        let bases = Bases::new(context, &[generator; 2], BasesOptions::default()).unwrap();
        assert_eq!(bases.msm(&Buffer::of(context, &scalars).unwrap()).unwrap().to_affine(), expected);
        let sum = context.msm_once(&[axiom::G1Affine::generator(); 2], &forked).unwrap();
        assert_eq!(
            axiom_affine(sum),
            (expected.x.to_repr().as_ref().to_vec(), expected.y.to_repr().as_ref().to_vec())
        );
        let sum = context.msm_once(&[bare; 2], &bare_scalars).unwrap();
        let mut affine = [limbs::G1Affine::default()];
        context.to_affine(&[sum], &mut affine).unwrap();
        assert_eq!((affine[0].x.0, affine[0].y.0), (expected.x.0, expected.y.0));
    });
}

fn axiom_affine(point: axiom::G1) -> (Vec<u8>, Vec<u8>) {
    let affine = halo2curves_axiom::group::Curve::to_affine(&point);
    (affine.x.to_bytes().to_vec(), affine.y.to_bytes().to_vec())
}

#[test]
fn the_identity_is_the_same_for_all() {
    assert_eq!(ark_bn254::Fr::ZERO.0.0, bn256::Fr::ZERO.0);
    for_each_isa(|context| {
        let sum = context.msm_once::<bn256::G1Affine>(&[], &[]).unwrap();
        assert_eq!(sum.to_affine(), bn256::G1Affine::default());
        let mut affine = [bn256::G1Affine::generator()];
        context.to_affine(&[sum], &mut affine).unwrap();
        assert_eq!(affine[0], bn256::G1Affine::default());
    });
}
