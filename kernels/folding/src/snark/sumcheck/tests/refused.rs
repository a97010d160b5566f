use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::{
    Claim, DEGREE_MAX, Error, Instance, Proof, Proved, Summand, Table, VARIABLES_MAX, prove, verify,
};
use super::{Mixed, Sum};
use crate::snark::encoding;
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::testing::{
    assert_no_flip_is_accepted, assert_only_complete_bytes_are_read, random_scalars, rng,
};
use crate::snark::transcript::Transcript;

/// Two sums, of 3 and 2 variables and of degrees 3 and 2, proved.
struct Case {
    sums: Vec<Sum>,
    claims: Vec<Claim<Fr>>,
    proof: Proof<Fr>,
}

fn case() -> Case {
    let rng = &mut rng(1);
    let point: Vec<Fr> = random_scalars(rng, 3);
    let sums =
        vec![Sum::random(rng, 3, 2, Some(ProductPolynomial::eq(&point))), Sum::random(rng, 2, 2, None)];
    let claims = sums.iter().map(|sum| sum.instance().claim().unwrap()).collect();
    let proof = proved(&sums).proof;
    Case { sums, claims, proof }
}

fn proved(sums: &[Sum]) -> Proved<Fr> {
    prove(&mut Transcript::new(b"sum-check"), sums.iter().map(Sum::instance).collect()).unwrap()
}

impl Case {
    /// The verifier, with the true values of the summands in the end.
    fn verify(&self, claims: &[Claim<Fr>], proof: &Proof<Fr>) -> Result<(), Error> {
        let reduced = verify(&mut Transcript::new(b"sum-check"), claims, proof)?;
        let value = |(sum, claim): (&Sum, &Claim<Fr>)| {
            let point = reduced.point_of(claim.variables);
            sum.value(point, &sum.inputs(point))
        };
        reduced.check(&self.sums.iter().zip(claims).map(value).collect::<Vec<_>>())
    }
}

#[test]
fn the_case_itself_is_accepted() {
    let case = case();
    assert_eq!(case.verify(&case.claims, &case.proof), Ok(()));
}

#[test]
fn a_wrong_sum_is_refused() {
    let case = case();
    for i in 0..2 {
        let mut claims = case.claims.clone();
        claims[i].sum += Fr::ONE;
        assert_eq!(case.verify(&claims, &case.proof), Err(Error::Refused));
    }
    // Errors that cancel when nothing separates the two claims.
    let mut claims = case.claims.clone();
    claims[0].sum += Fr::from(2);
    claims[1].sum -= Fr::ONE;
    assert_eq!(case.verify(&claims, &case.proof), Err(Error::Refused));
}

#[test]
fn a_prover_with_a_wrong_sum_is_refused() {
    let case = case();
    for i in 0..2 {
        let mut instances: Vec<_> = case.sums.iter().map(Sum::instance).collect();
        instances[i].sum += Fr::ONE;
        let claims: Vec<_> = instances.iter().map(|instance| instance.claim().unwrap()).collect();
        let proof = prove(&mut Transcript::new(b"sum-check"), instances).unwrap().proof;
        assert_eq!(case.verify(&claims, &proof), Err(Error::Refused));
    }
}

#[test]
fn each_changed_coefficient_is_refused() {
    let case = case();
    for i in 0..case.proof.coefficients.len() {
        let mut proof = case.proof.clone();
        proof.coefficients[i] += Fr::ONE;
        assert_eq!(case.verify(&case.claims, &proof), Err(Error::Refused), "coefficient {i}");
    }
}

#[test]
fn rounds_in_another_order_are_refused() {
    let case = case();
    let mut proof = case.proof.clone();
    proof.coefficients.rotate_left(proof.degree);
    assert_eq!(case.verify(&case.claims, &proof), Err(Error::Refused));
}

#[test]
fn an_extra_or_a_missing_round_is_refused() {
    let case = case();
    let expected = case.proof.coefficients.len();
    let mut proof = case.proof.clone();
    proof.coefficients.truncate(expected - 3);
    assert_eq!(case.verify(&case.claims, &proof), Err(Error::ProofLength { found: expected - 3, expected }));
    proof = case.proof.clone();
    proof.coefficients.extend([Fr::ZERO; 3]);
    assert_eq!(case.verify(&case.claims, &proof), Err(Error::ProofLength { found: expected + 3, expected }));
    proof = case.proof.clone();
    proof.coefficients.pop();
    assert_eq!(case.verify(&case.claims, &proof), Err(Error::ProofLength { found: expected - 1, expected }));
}

#[test]
fn a_proof_of_a_higher_or_lower_degree_is_refused() {
    let case = case();
    // The same polynomials, with a leading zero.
    let padded = |round: &[Fr]| [round, &[Fr::ZERO]].concat();
    let coefficients: Vec<Fr> = case.proof.coefficients.chunks(3).flat_map(padded).collect();
    assert_eq!(
        case.verify(&case.claims, &Proof { degree: 4, coefficients }),
        Err(Error::ProofDegree { found: 4, expected: 3 })
    );
    for degree in [0, 2, 9] {
        assert_eq!(
            case.verify(&case.claims, &Proof { degree, ..case.proof.clone() }),
            Err(Error::ProofDegree { found: degree, expected: 3 })
        );
    }
}

#[test]
fn claims_of_another_shape_or_order_are_refused() {
    let case = case();
    // Not an error of shape: the rounds take as many coefficients, but the claim scales otherwise.
    let mut claims = case.claims.clone();
    claims[1].variables = 1;
    assert!(case.verify(&claims, &case.proof).is_err());
    claims = case.claims.clone();
    claims[1].degree = 3;
    assert_eq!(case.verify(&claims, &case.proof), Err(Error::Refused));
    claims = case.claims.clone();
    claims.swap(0, 1);
    assert_eq!(case.verify(&claims, &case.proof), Err(Error::Refused));
}

#[test]
fn wrong_final_values_are_refused() {
    let case = case();
    let reduced = verify(&mut Transcript::new(b"sum-check"), &case.claims, &case.proof).unwrap();
    let point_and_value = |sum: &Sum| {
        let point = reduced.point_of(sum.table.variables());
        sum.value(point, &sum.inputs(point))
    };
    let values: Vec<Fr> = case.sums.iter().map(point_and_value).collect();
    assert_eq!(reduced.check(&values), Ok(()));
    assert_eq!(reduced.check(&[values[1], values[0]]), Err(Error::Refused));
    assert_eq!(reduced.check(&[values[0], values[1] + Fr::ONE]), Err(Error::Refused));
    assert_eq!(reduced.check(&values[..1]), Err(Error::FinalValues { found: 1, expected: 2 }));
    let more = [values[0], values[1], Fr::ZERO];
    assert_eq!(reduced.check(&more), Err(Error::FinalValues { found: 3, expected: 2 }));
}

#[test]
fn a_transcript_of_something_else_is_refused() {
    let case = case();
    let reduced = verify(&mut Transcript::new(b"other"), &case.claims, &case.proof).unwrap();
    let value = |sum: &Sum| {
        let point = reduced.point_of(sum.table.variables());
        sum.value(point, &sum.inputs(point))
    };
    assert_eq!(reduced.check(&case.sums.iter().map(value).collect::<Vec<_>>()), Err(Error::Refused));
}

#[test]
fn sums_without_a_proof_are_refused_by_prover_and_verifier() {
    let transcript = || Transcript::new(b"sum-check");
    let proof = Proof { degree: 1, coefficients: Vec::new() };
    assert_eq!(verify::<Fr>(&mut transcript(), &[], &proof), Err(Error::NoSums));
    assert_eq!(prove::<Fr>(&mut transcript(), Vec::new()), Err(Error::NoSums));
    let claim = |variables, degree| [Claim { variables, degree, sum: Fr::ZERO }];
    assert_eq!(
        verify(&mut transcript(), &claim(VARIABLES_MAX + 1, 1), &proof),
        Err(Error::Variables { found: VARIABLES_MAX + 1, most: VARIABLES_MAX })
    );
    for degree in [0, DEGREE_MAX + 1] {
        let error = Error::Degree { found: degree, most: DEGREE_MAX };
        assert_eq!(verify(&mut transcript(), &claim(0, degree), &proof), Err(error));
    }
}

#[test]
fn tables_and_weights_that_do_not_fit_are_refused() {
    let error = |values, width| Some(Error::Table { values, width });
    assert_eq!(Table::<Fr>::new(vec![Fr::ONE; 6], 2).err(), error(6, 2));
    assert_eq!(Table::<Fr>::new(vec![Fr::ONE; 5], 2).err(), error(5, 2));
    assert_eq!(Table::<Fr>::new(vec![Fr::ONE; 4], 0).err(), error(4, 0));
    assert_eq!(Table::<Fr>::new(Vec::new(), 2).err(), error(0, 2));
    let weight = ProductPolynomial::eq(&[Fr::ONE; 2]);
    let table = Table::new(vec![Fr::ONE; 8 * 3], 3).unwrap();
    let instance = Instance { sum: Fr::ONE, weight: Some(&weight), table, summand: &Mixed(1) };
    assert_eq!(prove(&mut Transcript::new(b"sum-check"), vec![instance]).err(), error(24, 3));
}

#[test]
fn a_constant_summand_is_refused_by_the_prover() {
    struct Constant;
    impl Summand<Fr> for Constant {
        fn degree(&self) -> usize {
            0
        }
        fn evaluate(&self, _: &[Fr], _: &mut [Fr]) -> Fr {
            Fr::ONE
        }
    }
    let weight = ProductPolynomial::eq(&[Fr::ONE]);
    for weight in [None, Some(&weight)] {
        let table = Table::new(vec![Fr::ONE; 2], 1).unwrap();
        let instance = Instance { sum: Fr::ONE, weight, table, summand: &Constant };
        assert_eq!(
            prove(&mut Transcript::new(b"sum-check"), vec![instance]),
            Err(Error::Degree { found: 0, most: DEGREE_MAX })
        );
    }
}

#[test]
fn a_proof_reads_back_and_no_flipped_bit_of_it_is_accepted() {
    let case = case();
    let bytes = case.proof.to_bytes();
    assert_eq!(bytes.len(), 2 + 32 * 9);
    assert_eq!(Proof::from_bytes(&bytes), Ok(case.proof.clone()));
    assert_no_flip_is_accepted(&bytes, Proof::from_bytes, |proof| case.verify(&case.claims, proof).is_ok());
}

#[test]
fn proofs_that_are_cut_long_or_huge_are_refused() {
    use encoding::Error;
    let bytes = case().proof.to_bytes();
    assert_only_complete_bytes_are_read(&bytes, Proof::<Fr>::from_bytes);
    let length = |found, least, most| Err(Error::Length { found, least, most });
    assert_eq!(Proof::<Fr>::from_bytes(&[33, 3]), length(33, 0, VARIABLES_MAX));
    assert_eq!(Proof::<Fr>::from_bytes(&[3, 0]), length(0, 1, DEGREE_MAX));
    assert_eq!(Proof::<Fr>::from_bytes(&[3, 17]), length(17, 1, DEGREE_MAX));
}
