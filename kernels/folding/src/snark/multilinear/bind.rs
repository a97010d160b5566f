//! Setting one variable of a multilinear polynomial to a field element.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::PARALLEL_CHUNK;

/// Sets the first variable to `r`, in place: the values become half as many. An odd last value, which no polynomial
/// has, is dropped.
///
/// Rows of several polynomials side by side (`values[row * width + column]`) are bound all at once, since the two
/// halves of such a table are the rows where the variable is 0 and 1.
pub fn bind_first<F: PrimeField>(values: &mut Vec<F>, r: &F) {
    let half = values.len() / 2;
    let (zeros, ones) = values.split_at_mut(half);
    let bind = |(zeros, ones): (&mut [F], &[F])| {
        for (zero, one) in zeros.iter_mut().zip(ones) {
            *zero += *r * (*one - *zero);
        }
    };
    if half <= PARALLEL_CHUNK {
        bind((zeros, ones));
    } else {
        zeros.par_chunks_mut(PARALLEL_CHUNK).zip(ones.par_chunks(PARALLEL_CHUNK)).for_each(bind);
    }
    values.truncate(half);
}

/// The polynomial with its last variable set to `r`: half as many values.
pub fn fold_last<F: PrimeField>(values: &[F], r: &F) -> Vec<F> {
    let fold = |pair: &[F]| pair[0] + *r * (pair[1] - pair[0]);
    if values.len() <= 2 * PARALLEL_CHUNK {
        values.chunks_exact(2).map(fold).collect()
    } else {
        values.par_chunks_exact(2).with_min_len(PARALLEL_CHUNK).map(fold).collect()
    }
}
