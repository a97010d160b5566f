use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::{PARALLEL_CHUNK, ProductPolynomial, bind_first, evaluate, fold_last};
use crate::snark::testing::{random_scalars, rng};

/// Bit of variable `variable` of `variables` in `index`: the first variable is the highest.
fn bit(index: usize, variable: usize, variables: usize) -> bool {
    index >> (variables - 1 - variable) & 1 == 1
}

/// `Σ_i values[i] Π_j (x_j or 1 - x_j)`, by definition.
fn naive(values: &[Fr], point: &[Fr]) -> Fr {
    let weight = |index: usize| -> Fr {
        point
            .iter()
            .enumerate()
            .map(|(j, x)| if bit(index, j, point.len()) { *x } else { Fr::ONE - x })
            .product()
    };
    values.iter().enumerate().map(|(index, value)| weight(index) * value).sum()
}

#[test]
fn an_evaluation_is_that_of_the_definition() {
    let rng = &mut rng(1);
    for variables in 0..=10 {
        let values: Vec<Fr> = random_scalars(rng, 1 << variables);
        let point: Vec<Fr> = random_scalars(rng, variables);
        assert_eq!(evaluate(&values, &point), naive(&values, &point), "{variables} variables");
    }
}

#[test]
fn an_evaluation_on_the_hypercube_is_a_value() {
    let values: Vec<Fr> = random_scalars(&mut rng(2), 8);
    for (index, value) in values.iter().enumerate() {
        let point: Vec<Fr> = (0..3).map(|j| Fr::from(u64::from(bit(index, j, 3)))).collect();
        assert_eq!(evaluate(&values, &point), *value);
    }
}

#[test]
fn values_that_end_early_end_in_zeros() {
    let rng = &mut rng(3);
    let point: Vec<Fr> = random_scalars(rng, 6);
    for length in [0, 1, 7, 8, 9, 63] {
        let mut values: Vec<Fr> = random_scalars(rng, length);
        let short = evaluate(&values, &point);
        values.resize(64, Fr::ZERO);
        assert_eq!(short, naive(&values, &point), "{length} values");
    }
}

#[test]
fn threads_change_nothing() {
    let rng = &mut rng(4);
    let variables = 15;
    assert!(1 << (variables - 1) > PARALLEL_CHUNK);
    let values: Vec<Fr> = random_scalars(rng, 1 << variables);
    let point: Vec<Fr> = random_scalars(rng, variables);
    let eq = ProductPolynomial::eq(&point);
    let by_table: Fr = eq.table().iter().zip(&values).map(|(weight, value)| weight * value).sum();
    let (mut first, mut last) = (values.clone(), values.clone());
    for i in 0..variables {
        bind_first(&mut first, &point[i]);
        last = fold_last(&last, &point[variables - 1 - i]);
    }
    let value = naive(&values, &point);
    assert_eq!([evaluate(&values, &point), by_table, first[0], last[0]], [value; 4]);
}

#[test]
fn a_product_polynomial_is_the_product_of_its_factors() {
    let rng = &mut rng(5);
    for variables in 0..=8 {
        let [xs, point]: [Vec<Fr>; 2] = [random_scalars(rng, variables), random_scalars(rng, variables)];
        let eq = ProductPolynomial::eq(&xs);
        let powers = ProductPolynomial::powers(&xs);
        assert_eq!((eq.variables(), powers.variables()), (variables, variables));
        for (index, value) in powers.table().iter().enumerate() {
            let product: Fr = (0..variables).filter(|j| bit(index, *j, variables)).map(|j| xs[j]).product();
            assert_eq!(*value, product);
        }
        for (polynomial, table) in [(&eq, eq.table()), (&powers, powers.table())] {
            assert_eq!(table.len(), 1 << variables);
            assert_eq!(polynomial.evaluate(&point), naive(&table, &point));
        }
        let values: Vec<Fr> = random_scalars(rng, 1 << variables);
        let weighted: Fr = eq.table().iter().zip(&values).map(|(weight, value)| weight * value).sum();
        assert_eq!(weighted, naive(&values, &xs));
    }
}

#[test]
fn betas_that_are_squares_of_each_other_give_powers() {
    let beta = Fr::from(3);
    let mut betas: Vec<Fr> = core::iter::successors(Some(beta), |b| Some(b.square())).take(5).collect();
    betas.reverse();
    let table = ProductPolynomial::powers(&betas).table();
    assert!(table.iter().enumerate().all(|(j, value)| *value == beta.pow([j as u64])));
}

#[test]
fn rows_of_several_polynomials_are_bound_at_once() {
    let rng = &mut rng(6);
    let (width, r) = (3, Fr::random(&mut *rng));
    let mut table: Vec<Fr> = random_scalars(rng, 8 * width);
    let column =
        |table: &[Fr], column: usize| table.iter().skip(column).step_by(width).copied().collect::<Vec<_>>();
    let mut columns: Vec<Vec<Fr>> = (0..width).map(|i| column(&table, i)).collect();
    bind_first(&mut table, &r);
    for (i, bound) in columns.iter_mut().enumerate() {
        bind_first(bound, &r);
        assert_eq!(*bound, column(&table, i));
    }
}
