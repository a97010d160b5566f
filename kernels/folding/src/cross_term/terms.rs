//! The cross terms `T_k` of a fold: `f(z + X z_1) = E + Σ_k X^k T_k` for each homogeneous constraint `f`.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::RelaxedRelation;
use crate::polynomial::interpolation;

/// `T_1, .., T_{d-1}`, each with an entry a constraint.
///
/// `T_0` is the accumulator's error vector, and `T_d`, the constraints at the incoming vector, is 0: a vector that does not
/// satisfy the relation gives terms that nothing sound comes of.
pub(super) fn cross_terms<F: PrimeField>(
    relaxed: &RelaxedRelation<F>,
    accumulated: &[F],
    error: &[F],
    incoming: &[F],
) -> Vec<Vec<F>> {
    // With d + 1 coefficients, two of them known, d - 1 points decide.
    let points: Vec<Vec<F>> = (1..=relaxed.terms() as u64)
        .map(|point| {
            let x = F::from(point);
            let moved = accumulated.par_iter().zip(incoming).with_min_len(1 << 10);
            let moved: Vec<F> = moved.map(|(old, new)| *old + x * new).collect();
            relaxed.relation().values(&moved)
        })
        .collect();
    // (f(x) - T_0) / x has the coefficients T_1, .., T_{d-1} from its constant on.
    let mut matrix = interpolation(1, points.len());
    for row in &mut matrix {
        for (entry, point) in row.iter_mut().zip(1_u64..) {
            *entry *= F::from(point).invert().expect("points are not 0");
        }
    }
    let term = |row: Vec<F>| {
        let constraints = error.par_iter().enumerate().with_min_len(1 << 10);
        let entry = |(constraint, error): (usize, &F)| {
            row.iter().zip(&points).map(|(factor, values)| *factor * (values[constraint] - error)).sum()
        };
        constraints.map(entry).collect()
    };
    matrix.into_iter().map(term).collect()
}
