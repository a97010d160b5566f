//! Square matrices of the state's width, row by row.

use halo2curves::ff::Field;

/// `T` rows of `T` elements.
pub(super) type Matrix<F, const T: usize> = [[F; T]; T];

/// The inner product of two vectors of one length.
pub(super) fn dot<F: Field>(a: &[F], b: &[F]) -> F {
    a.iter().zip(b).fold(F::ZERO, |sum, (a, b)| sum + *a * b)
}

/// The matrix times a column.
pub(super) fn times_column<F: Field, const T: usize>(matrix: &Matrix<F, T>, column: &[F; T]) -> [F; T] {
    std::array::from_fn(|row| dot(&matrix[row], column))
}

/// A row times the matrix.
pub(super) fn row_times<F: Field, const T: usize>(row: &[F; T], matrix: &Matrix<F, T>) -> [F; T] {
    std::array::from_fn(|column| dot(row, &std::array::from_fn::<F, T, _>(|i| matrix[i][column])))
}

/// The product `a · b`.
pub(super) fn product<F: Field, const T: usize>(a: &Matrix<F, T>, b: &Matrix<F, T>) -> Matrix<F, T> {
    std::array::from_fn(|row| row_times(&a[row], b))
}

/// The inverse by Gauss-Jordan elimination, or nothing if the matrix is singular.
pub(super) fn inverse<F: Field, const T: usize>(matrix: &Matrix<F, T>) -> Option<Matrix<F, T>> {
    let mut left = *matrix;
    let mut right: Matrix<F, T> =
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { F::ONE } else { F::ZERO }));
    for column in 0..T {
        let pivot = (column..T).find(|&row| !left[row][column].is_zero_vartime())?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = Option::<F>::from(left[column][column].invert())?;
        left[column].iter_mut().chain(&mut right[column]).for_each(|entry| *entry *= scale);
        let (left_pivot, right_pivot) = (left[column], right[column]);
        for row in (0..T).filter(|&row| row != column) {
            let factor = left[row][column];
            for k in 0..T {
                left[row][k] -= factor * left_pivot[k];
                right[row][k] -= factor * right_pivot[k];
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use halo2curves::bn256::Fr;

    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = [[0, 2, 1], [3, 1, 4], [1, 5, 9]].map(|row| row.map(Fr::from));
        let identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|row| row.map(Fr::from));
        assert_eq!(product(&matrix, &inverse(&matrix).unwrap()), identity);
    }

    #[test]
    fn a_singular_matrix_has_no_inverse() {
        assert!(inverse(&[[1, 2], [2, 4]].map(|row| row.map(Fr::from))).is_none());
    }
}
