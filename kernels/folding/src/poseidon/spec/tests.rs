use halo2curves::{bls12381, bn256::Fr, grumpkin, secp256r1};

use super::super::{Error, Spec, WIDTH_MAX, WIDTH_MIN, partial_rounds};
use super::check_field;

#[test]
fn the_reference_has_8_full_rounds_and_partial_rounds_by_the_width() {
    let three = Spec::<Fr, 3, 2>::reference().unwrap();
    assert_eq!((three.full_rounds(), three.partial_rounds()), (8, 57));
    let five = Spec::<grumpkin::Fr, 5, 4>::reference().unwrap();
    assert_eq!((five.full_rounds(), five.partial_rounds()), (8, 60));
    assert_eq!(five.round_constants().len(), 68);
    assert!(partial_rounds(WIDTH_MIN - 1).is_none() && partial_rounds(WIDTH_MAX + 1).is_none());
}

#[test]
fn fewer_rounds_than_the_reference_are_below_it() {
    let below = |full, partial| Spec::<Fr, 5, 4>::new(full, partial).unwrap().is_below_reference();
    assert!(below(10, 10));
    assert!(below(8, 59));
    assert!(below(6, 60));
    assert!(!below(8, 60));
    assert!(!below(10, 61));
    assert!(!Spec::<Fr, 5, 4>::reference().unwrap().is_below_reference());
}

#[test]
fn rounds_that_make_no_permutation_are_refused() {
    let error = |full, partial| Spec::<Fr, 5, 4>::new(full, partial).map(drop);
    assert_eq!(error(7, 60), Err(Error::FullRounds(7)));
    assert_eq!(error(0, 60), Err(Error::FullRounds(0)));
    assert_eq!(error(1024, 60), Err(Error::FullRounds(1024)));
    assert_eq!(error(8, 4), Err(Error::PartialRounds { partial_rounds: 4, width: 5 }));
    assert_eq!(error(8, 1024), Err(Error::PartialRounds { partial_rounds: 1024, width: 5 }));
    assert_eq!(error(8, 5), Ok(()));
}

#[test]
fn a_field_over_which_the_permutation_does_not_work_is_refused() {
    assert_eq!(check_field::<secp256r1::Fp>(), Err(Error::SBox), "5 divides the order of its group");
    assert_eq!(check_field::<bls12381::Fq>(), Err(Error::Field), "it has 381 bits");
    assert_eq!(check_field::<Fr>(), Ok(()));
    assert_eq!(check_field::<grumpkin::Fr>(), Ok(()));
}

#[test]
fn gives_fields_widths_and_rounds_different_digests() {
    let digests = [
        Spec::<Fr, 3, 2>::reference().unwrap().digest(),
        Spec::<grumpkin::Fr, 3, 2>::reference().unwrap().digest(),
        Spec::<Fr, 5, 4>::reference().unwrap().digest(),
        Spec::<Fr, 5, 4>::new(8, 59).unwrap().digest(),
        Spec::<Fr, 5, 4>::new(10, 58).unwrap().digest(),
    ];
    for (index, digest) in digests.iter().enumerate() {
        assert!(!digests[..index].contains(digest));
    }
    assert_eq!(digests[0], Spec::<Fr, 3, 2>::new(8, 57).unwrap().digest());
}

#[test]
fn the_digest_is_of_the_documented_bytes() {
    // By the Python transcription that the permutation over grumpkin's scalars is tested against.
    let hex = |digest: [u8; 32]| digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(
        hex(Spec::<Fr, 5, 4>::reference().unwrap().digest()),
        "215853c585246cc83cb52689432195c681008426ac8f6576e4b0351c4f96a441"
    );
    assert_eq!(
        hex(Spec::<grumpkin::Fr, 5, 4>::reference().unwrap().digest()),
        "6488ba77c11c6706d0d07c65c460ab67c10f5e59f2c8d628ae9854f53b008446"
    );
}
