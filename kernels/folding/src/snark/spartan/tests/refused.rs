use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;

use super::*;
use crate::relation::{Expression, Group, Input, Layout};
use crate::snark::sumcheck;

fn claimed(errors: bool) -> Claimed<Fr> {
    Claimed::random(&mut rng(7), &sample(), errors)
}

#[test]
fn a_sum_that_is_not_so_is_refused() {
    for errors in [false, true] {
        let mut claimed = claimed(errors);
        claimed.sum += Fr::ONE;
        let (proof, _) = claimed.prove();
        assert_eq!(claimed.verify(&proof), Err(Error::Rows(sumcheck::Error::Refused)));
    }
}

#[test]
fn every_entry_that_a_constraint_reads_counts() {
    let honest = claimed(true);
    let mut read = 0;
    for entry in 0..honest.z.len() {
        let mut other = claimed(true);
        other.z[entry] += Fr::ONE;
        let moves = other.by_definition() != honest.sum;
        read += usize::from(moves);
        let (proof, _) = other.prove();
        assert_eq!(other.accepted(&proof), !moves, "entry {entry}");
    }
    assert!(read > 40, "{read} entries are read");
}

#[test]
fn every_error_counts() {
    let mut claimed = claimed(true);
    for constraint in 0..claimed.errors.len() {
        claimed.errors[constraint] += Fr::ONE;
        let (proof, _) = claimed.prove();
        assert!(!claimed.accepted(&proof), "error {constraint}");
        claimed.errors[constraint] -= Fr::ONE;
    }
    assert!(claimed.accepted(&claimed.prove().0));
}

#[test]
fn a_statement_other_than_the_proved_one_is_refused() {
    for errors in [false, true] {
        let mut claimed = claimed(errors);
        let (proof, _) = claimed.prove();
        assert!(claimed.accepted(&proof));
        for public in 0..claimed.relation.layout().challenge().end {
            let honest = claimed.z[public];
            claimed.z[public] += Fr::ONE;
            assert!(claimed.verify(&proof).is_err(), "public {public}");
            claimed.z[public] = honest;
        }
        claimed.sum += Fr::ONE;
        assert!(claimed.verify(&proof).is_err());
        claimed.sum -= Fr::ONE;
        let honest = claimed.weight.clone();
        for variable in 0..honest.variables() {
            for side in 0..2 {
                let mut factors = honest.factors().to_vec();
                factors[variable][side] += Fr::ONE;
                claimed.weight = ProductPolynomial::from_factors(factors);
                assert!(claimed.verify(&proof).is_err(), "variable {variable} side {side}");
            }
        }
    }
}

/// The lists of a proof.
fn lists(proof: &mut Proof<Fr>) -> [&mut Vec<Fr>; 5] {
    [
        &mut proof.errors,
        &mut proof.rows.coefficients,
        &mut proof.inputs,
        &mut proof.columns.coefficients,
        &mut proof.evaluations,
    ]
}

#[test]
fn a_proof_with_any_scalar_changed_is_refused() {
    for errors in [false, true] {
        let claimed = claimed(errors);
        let (honest, _) = claimed.prove();
        for list in 0..5 {
            for scalar in 0..lists(&mut honest.clone())[list].len() {
                let mut changed = honest.clone();
                lists(&mut changed)[list][scalar] += Fr::ONE;
                assert!(claimed.verify(&changed).is_err(), "list {list} scalar {scalar}");
            }
        }
    }
}

#[test]
fn a_proof_with_a_list_too_short_or_too_long_is_refused() {
    for errors in [false, true] {
        let claimed = claimed(errors);
        let (honest, _) = claimed.prove();
        for list in 0..5 {
            let mut short = honest.clone();
            if lists(&mut short)[list].pop().is_some() {
                assert!(claimed.verify(&short).is_err(), "list {list} short");
            }
            let mut long = honest.clone();
            lists(&mut long)[list].push(Fr::ZERO);
            assert!(claimed.verify(&long).is_err(), "list {list} long");
        }
    }
}

#[test]
fn what_is_sent_decides_what_is_drawn_after_it() {
    let claimed = claimed(true);
    let (honest, _) = claimed.prove();
    let shape = claimed.shape();
    let drawn =
        |inputs: &[Fr]| super::super::verify::input_factors(&mut Transcript::new(b"test"), &shape, inputs);
    for input in 0..honest.inputs.len() {
        let mut changed = honest.inputs.clone();
        changed[input] += Fr::ONE;
        assert_ne!(drawn(&changed), drawn(&honest.inputs), "input {input}");
    }
    let after = |proof: &Proof<Fr>| {
        let mut transcript = Transcript::new(b"test");
        verify(&mut transcript, &shape, &claimed.statement(), proof).unwrap();
        transcript.challenge::<Fr>(b"after")
    };
    assert_ne!(after(&honest), Transcript::new(b"test").challenge(b"after"));
}

#[test]
fn a_value_that_no_sum_depends_on_decides_what_is_drawn_after_it() {
    // Nothing reads the second round: its value is for the opening alone to refuse.
    let layout = Layout { publics: 0, challenges: 0, rounds: vec![1, 1] };
    let group = Group::new("first", vec![Expression::Input(0)], vec![Input::Cell(vec![1])]);
    let relation = Relation::<Fr>::new(layout, vec![group]);
    let variables = Shape::new(&relation).unwrap().number_variables();
    let weight = ProductPolynomial::from_factors(vec![[Fr::ONE; 2]; variables]);
    let z = [1, 5, 6].map(Fr::from).to_vec();
    let claimed = Claimed { relation, weight, sum: Fr::from(5), z, errors: Vec::new() };
    let (honest, _) = claimed.prove();
    let mut changed = honest.clone();
    changed.evaluations[1] += Fr::ONE;
    let after = |proof: &Proof<Fr>| {
        let mut transcript = Transcript::new(b"test");
        verify(&mut transcript, &claimed.shape(), &claimed.statement(), proof).unwrap();
        transcript.challenge::<Fr>(b"after")
    };
    assert_ne!(after(&changed), after(&honest));
}

#[test]
fn lengths_other_than_the_relations_are_refused() {
    let claimed = claimed(true);
    let shape = claimed.shape();
    let (proof, _) = claimed.prove();
    let transcript = || Transcript::new(b"test");
    let length = |of, expected, found| Err(Error::Length { of, expected, found });

    let mut statement = claimed.statement();
    statement.public = &statement.public[1..];
    assert_eq!(verify(&mut transcript(), &shape, &statement, &proof), length("public entries", 4, 3));
    let mut statement = claimed.statement();
    let factors = claimed.weight.factors();
    statement.weight = ProductPolynomial::from_factors(factors[1..].to_vec());
    let variables = factors.len();
    let refusal = length("variables of the weight", variables, variables - 1);
    assert_eq!(verify(&mut transcript(), &shape, &statement, &proof), refusal);

    let prove = |z, errors| {
        prove(&mut transcript(), &shape, &claimed.statement(), &Witness { z, errors }).map(|(_, point)| point)
    };
    let (z, errors) = (claimed.z.as_slice(), claimed.errors.as_slice());
    assert_eq!(prove(&z[1..], errors), length("entries of the vector", z.len(), z.len() - 1));
    assert_eq!(prove(z, &errors[1..]), length("errors", errors.len(), errors.len() - 1));
    assert_eq!(prove(z, &[]), length("errors", errors.len(), 0));
}

#[test]
fn a_relation_that_no_proof_can_be_made_for_is_refused() {
    let layout = || Layout { publics: 0, challenges: 0, rounds: vec![1] };
    let relation = Relation::<Fr>::new(layout(), Vec::new());
    assert_eq!(Shape::new(&relation).unwrap_err(), Error::Empty);

    let power =
        |degree: usize| (1..degree).fold(Expression::Input(0), |power, _| power * Expression::Input(0));
    let of_degree = |degree| {
        let group = Group::new("power", vec![power(degree)], vec![Input::Cell(vec![1])]);
        Shape::new(&Relation::<Fr>::new(layout(), vec![group])).map(|_| ())
    };
    assert_eq!(of_degree(15), Ok(()));
    let refusal = Error::Large { of: "degrees of a row's polynomial", found: 17, most: 16 };
    assert_eq!(of_degree(16), Err(refusal));

    let cells = |count| vec![Input::Cell(vec![1]); count];
    let of_inputs = |count| {
        let group = Group::new("wide", vec![power(1)], cells(count));
        Shape::new(&Relation::<Fr>::new(layout(), vec![group])).map(|_| ())
    };
    assert_eq!(of_inputs(4096), Ok(()));
    let refusal = Error::Large { of: "values of inputs", found: 4097, most: 4096 };
    assert_eq!(of_inputs(4097), Err(refusal));
}
