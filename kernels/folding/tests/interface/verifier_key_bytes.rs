//! Bytes of verifiers' keys that nobody made with this library.

use elastic_folding::ivc::{KeyError, VerifierKey};
use elastic_folding::poseidon::{PoseidonRo, RandomOracleFor, Spec};
use elastic_folding::relation::{Expression, Group, Input, Layout, Relation};
use elastic_folding::snark::encoding::{self, write_length, write_number, write_points, write_scalars};
use elastic_folding::snark::{accumulators, spartan};
use halo2curves::bn256::{Fr, G1Affine, G2Affine};
use halo2curves::ff::PrimeField;
use halo2curves::group::UncompressedEncoding as _;
use halo2curves::grumpkin;

type Oracle = PoseidonRo<5, 4>;
type Key = VerifierKey<2, 1, Oracle>;

/// A key in which everything is in order but the two relations, each of one group with these polynomials in one input.
fn key_bytes(primary: Vec<Expression<Fr>>, secondary: Vec<Expression<grumpkin::Fr>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_length(&mut bytes, 1);
    [2, 1, 5, 68, 4].into_iter().for_each(|size| write_number(&mut bytes, size));
    write_scalars(&mut bytes, &[Fr::from(7)]);
    bytes.extend_from_slice(&<Oracle as RandomOracleFor<Fr>>::digest(&Spec::reference().unwrap()));
    relation(primary).write(&mut bytes);
    relation(secondary).write(&mut bytes);
    write_points(&mut bytes, &[G1Affine::generator()]);
    for _ in 0..2 {
        bytes.extend_from_slice(G2Affine::generator().to_uncompressed().as_ref());
    }
    let generator = grumpkin::G1Affine::generator();
    write_number(&mut bytes, 2);
    write_points(&mut bytes, &[generator, generator, generator]);
    bytes.extend_from_slice(&[0; 32]);
    bytes
}

fn relation<F: PrimeField>(expressions: Vec<Expression<F>>) -> Relation<F> {
    let layout = Layout { publics: 1, challenges: 0, rounds: vec![1] };
    Relation::new(layout, vec![Group::new("", expressions, vec![Input::Cell(vec![1])])])
}

/// The product of so many inputs, which nests no deeper than the logarithm of their number.
fn power<F: PrimeField>(exponent: usize) -> Expression<F> {
    match exponent {
        1 => Expression::Input(0),
        _ => power(exponent / 2) * power(exponent - exponent / 2),
    }
}

fn refusal(bytes: &[u8]) -> KeyError {
    Key::from_bytes(bytes, Spec::reference().unwrap()).map(|_| ()).unwrap_err()
}

#[test]
fn a_key_whose_digest_alone_is_wrong_is_read_to_its_end() {
    let bytes = key_bytes(vec![power(2)], vec![power(2)]);
    assert!(matches!(refusal(&bytes), KeyError::Digest));
}

#[test]
fn a_degree_that_no_proof_has_is_refused_before_polynomials_are_raised_to_it() {
    let found = 1 << 16;
    // Next to the power, what is raised to its degree: a product that nests as deep.
    let bytes = key_bytes(vec![power(2)], vec![power(found), Expression::Input(0)]);
    let KeyError::Accumulators(accumulators::Error::Secondary(error)) = refusal(&bytes) else {
        panic!("not refused by the secondary relation");
    };
    assert!(matches!(error, spartan::Error::Large { found: degree, .. } if degree == found + 1), "{error}");
}

#[test]
fn polynomials_that_nest_as_deep_as_any_are_read_to_their_end() {
    fn deep<F: PrimeField>() -> Expression<F> {
        (1..1024).fold(Expression::Input(0), |inner, _| Expression::Negated(Box::new(inner)))
    }
    assert!(matches!(refusal(&key_bytes(vec![deep()], vec![deep()])), KeyError::Digest));
}

#[test]
fn a_group_without_polynomials_is_no_relation() {
    for bytes in [key_bytes(vec![], vec![power(2)]), key_bytes(vec![power(2)], vec![])] {
        let error = refusal(&bytes);
        assert!(
            matches!(error, KeyError::Bytes(encoding::Error::Length { found: 0, least: 1, .. })),
            "{error}"
        );
    }
}

#[test]
fn counts_beyond_those_that_the_digest_is_of_are_refused_before_anything_is_read_for_them() {
    let honest = key_bytes(vec![power(2)], vec![power(2)]);
    // Behind the number of generators are two of them, the base and the digest.
    let generators = honest.len() - 4 * encoding::ELEMENT_BYTES - 4;
    let with = |count: u32| {
        let mut bytes = honest.clone();
        bytes[generators..generators + 4].copy_from_slice(&count.to_le_bytes());
        // No point: whoever reads one refuses that.
        bytes[generators + 4..].fill(0xff);
        refusal(&bytes)
    };
    for count in [3, 4, 1 << 26] {
        assert!(matches!(with(count), KeyError::Digest), "{count}: {}", with(count));
    }
    let too_few = with(1);
    let KeyError::Accumulators(accumulators::Error::KeyLength { found: 1, needed: 2, .. }) = too_few else {
        panic!("{too_few}");
    };
    assert!(matches!(with(2), KeyError::Bytes(encoding::Error::Point)));
}
