use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::{Block, Claim, Error, ProvedBlocks, Reduced, block_selector, prove_blocks, verify};
use super::Sum;
use crate::snark::multilinear::{ProductPolynomial, evaluate};
use crate::snark::testing::{random_scalars, rng};
use crate::snark::transcript::Transcript;

/// Blocks of 8, 8, 4, 1 and 1 rows; with nothing between the fourth and the last, and nothing behind.
const BLOCKS: [(usize, usize, usize); 5] = [(0, 3, 3), (8, 3, 1), (16, 2, 5), (20, 0, 2), (22, 0, 1)];
const VARIABLES: usize = 5;

fn sums() -> Vec<(usize, Sum)> {
    let rng = &mut rng(1);
    let sum = |(first, variables, degree)| {
        let weight = ProductPolynomial::powers(&random_scalars(&mut *rng, variables));
        (first, Sum::random(&mut *rng, variables, degree, Some(weight)))
    };
    BLOCKS.map(sum).into_iter().collect()
}

fn proved(sums: &[(usize, Sum)], variables: usize) -> Result<ProvedBlocks<Fr>, Error> {
    let blocks = sums.iter().map(block_of).collect();
    prove_blocks(&mut Transcript::new(b"blocks"), variables, blocks)
}

fn block_of((first, sum): &(usize, Sum)) -> Block<'_, Fr> {
    Block { first: *first, instance: sum.instance() }
}

fn claim(sums: &[(usize, Sum)]) -> Claim<Fr> {
    let degree = sums.iter().map(|(_, sum)| sum.summand.0 + 1).max().unwrap();
    Claim { variables: VARIABLES, degree, sum: sums.iter().map(|(_, sum)| sum.naive()).sum() }
}

/// The columns' values at the point, by definition: of the table with all blocks in it. A row's first bit, in the order of
/// the point, is the highest of its block's own; those above follow, the lowest first.
fn columns(sums: &[(usize, Sum)], reduced: &Reduced<Fr>) -> Vec<Fr> {
    let width = sums.iter().map(|(_, sum)| sum.table.width()).max().unwrap();
    let mut columns = vec![Fr::ZERO; width];
    for (first, sum) in sums {
        let own = sum.table.variables();
        let mut selector = Fr::ONE;
        for (bit, x) in reduced.point[own..].iter().enumerate() {
            selector *= if first >> (own + bit) & 1 == 1 { *x } else { Fr::ONE - x };
        }
        assert_eq!(block_selector(&reduced.point, own, *first), selector);
        for (column, value) in columns.iter_mut().enumerate().take(sum.table.width()) {
            let values: Vec<Fr> =
                sum.table.values().iter().skip(column).step_by(sum.table.width()).copied().collect();
            *value += selector * evaluate(&values, &reduced.point[..own]);
        }
    }
    columns
}

fn value(sums: &[(usize, Sum)], reduced: &Reduced<Fr>, columns: &[Fr]) -> Fr {
    let value = |(first, sum): &(usize, Sum)| {
        let own = sum.table.variables();
        let selector = block_selector(&reduced.point, own, *first);
        selector * sum.value(&reduced.point[..own], &columns[..sum.table.width()])
    };
    sums.iter().map(value).sum()
}

#[test]
fn a_sum_over_blocks_comes_down_to_one_value_a_column() {
    let sums = sums();
    let proved = proved(&sums, VARIABLES).unwrap();
    let reduced = verify(&mut Transcript::new(b"blocks"), &[claim(&sums)], &proved.proof).unwrap();
    assert_eq!(reduced, proved.reduced);
    assert_eq!(proved.columns, columns(&sums, &reduced));
    assert_eq!(reduced.check(&[value(&sums, &reduced, &proved.columns)]), Ok(()));
}

#[test]
fn one_block_is_a_sum_as_any() {
    for variables in [0, 4] {
        let rng = &mut rng(2);
        let weight = ProductPolynomial::eq(&random_scalars(rng, variables));
        let sums = vec![(0, Sum::random(rng, variables, 3, Some(weight)))];
        let proved = proved(&sums, variables).unwrap();
        let claim = Claim { variables, ..claim(&sums) };
        let reduced = verify(&mut Transcript::new(b"blocks"), &[claim], &proved.proof).unwrap();
        assert_eq!(reduced.check(&[value(&sums, &reduced, &proved.columns)]), Ok(()));
    }
}

#[test]
fn a_wrong_sum_or_coefficient_is_refused() {
    let sums = sums();
    let honest = proved(&sums, VARIABLES).unwrap();
    let refused = |claim: Claim<Fr>, proved: &ProvedBlocks<Fr>| {
        let reduced = verify(&mut Transcript::new(b"blocks"), &[claim], &proved.proof).unwrap();
        reduced.check(&[value(&sums, &reduced, &columns(&sums, &reduced))]) == Err(Error::Refused)
    };
    let mut wrong = claim(&sums);
    assert!(!refused(wrong, &honest));
    wrong.sum += Fr::ONE;
    assert!(refused(wrong, &honest));
    for coefficient in 0..honest.proof.coefficients.len() {
        let mut changed = honest.clone();
        changed.proof.coefficients[coefficient] += Fr::ONE;
        assert!(refused(claim(&sums), &changed), "coefficient {coefficient}");
    }
}

#[test]
fn blocks_that_are_not_aligned_are_refused() {
    let mut sums = sums();
    let refusal = |first, rows, variables| Some(Error::Block { first, rows, variables });
    assert_eq!(proved(&sums, 4).err(), refusal(16, 4, 4));
    sums[2].0 = 18;
    assert_eq!(proved(&sums, VARIABLES).err(), refusal(18, 4, VARIABLES));
    assert_eq!(proved(&[], VARIABLES).err(), Some(Error::NoSums));
}
