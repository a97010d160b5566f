//! The Cauchy matrix that mixes the state: `1 / (x_i + y_j)`, maximum distance separable.

use grain::Grain;
use halo2curves::ff::PrimeField;

use super::matrix::Matrix;

/// Draws the matrix as the reference script does: `2 T` points, and again while two of them are equal or a sum is 0.
///
/// The script then tests the matrix for trails of subspaces and draws again where it finds one. That is left out here:
/// the known-answer vectors pin matrices of bn256's scalars, and this module's tests find no trail in those of either
/// field. Of other matrices, those with a trail that no S-box sees are [`super::Error::NotObservable`].
pub(super) fn draw<F: PrimeField, const T: usize>(grain: &mut Grain<F>) -> Matrix<F, T> {
    loop {
        let xs: [F; T] = std::array::from_fn(|_| grain.element_by_reduction());
        let ys: [F; T] = std::array::from_fn(|_| grain.element_by_reduction());
        if let Some(matrix) = from_points(&xs, &ys) {
            return matrix;
        }
    }
}

fn from_points<F: PrimeField, const T: usize>(xs: &[F; T], ys: &[F; T]) -> Option<Matrix<F, T>> {
    let points = || xs.iter().chain(ys);
    if points().enumerate().any(|(index, point)| points().skip(index + 1).any(|other| other == point)) {
        return None;
    }
    let mut matrix = [[F::ZERO; T]; T];
    for (row, x) in matrix.iter_mut().zip(xs) {
        for (entry, y) in row.iter_mut().zip(ys) {
            *entry = Option::from((*x + y).invert())?;
        }
    }
    Some(matrix)
}

#[cfg(test)]
mod tests {
    use halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
        grumpkin,
    };

    use super::{
        super::{
            Spec,
            matrix::{inverse, product, row_times, times_column},
        },
        from_points,
    };

    /// The period up to which the reference script looks for trails, as a multiple of the width.
    const PERIODS_A_WIDTH: usize = 4;

    /// A subspace of differences that comes back after `k` partial rounds is either never seen by an S-box, so is in
    /// what `M` hides from the first element, or holds the first unit vector, and with it all that `M^k` makes of that
    /// (Grassi, Rechberger, Schofnegger, eprint 2020/500). There is none but the full space if all powers show
    /// everything to the first element, and make everything of it.
    fn assert_no_trail<F: PrimeField, const T: usize, const RATE: usize>() {
        let spec = Spec::<F, T, RATE>::reference().unwrap();
        let mut unit = [F::ZERO; T];
        unit[0] = F::ONE;
        let mut power = *spec.mds();
        for period in 1..=PERIODS_A_WIDTH * T {
            let (mut row, mut column) = (unit, unit);
            let (mut shown, mut made) = ([unit; T], [unit; T]);
            for i in 1..T {
                row = row_times(&row, &power);
                column = times_column(&power, &column);
                (shown[i], made[i]) = (row, column);
            }
            assert!(inverse(&shown).is_some(), "hidden from the first S-box, period {period}");
            assert!(inverse(&made).is_some(), "a trail through the first S-box, period {period}");
            power = product(&power, spec.mds());
        }
    }

    #[test]
    fn no_subspace_passes_partial_rounds_without_end() {
        assert_no_trail::<Fr, 3, 2>();
        assert_no_trail::<Fr, 5, 4>();
        assert_no_trail::<Fr, 9, 8>();
        assert_no_trail::<grumpkin::Fr, 3, 2>();
        assert_no_trail::<grumpkin::Fr, 5, 4>();
        assert_no_trail::<grumpkin::Fr, 9, 8>();
    }

    #[test]
    fn points_that_collide_or_cancel_make_no_matrix() {
        let [one, two, three] = [1, 2, 3].map(Fr::from);
        assert!(from_points(&[one, two], &[three, Fr::from(4)]).is_some());
        assert!(from_points(&[one, two], &[three, three]).is_none());
        assert!(from_points(&[one, two], &[two, three]).is_none());
        assert!(from_points(&[one, two], &[three, -one]).is_none());
        assert!(from_points(&[Fr::ZERO], &[Fr::ZERO]).is_none());
    }
}
