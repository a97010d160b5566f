//! Partial rounds as a recurrence over the inputs of the one S-box they have.
//!
//! Write `w` for the inputs of S-boxes, round constants included, and `M'` for the matrix `M` with its first column
//! made 0. A partial round takes `s` to `M' s + m s_0^5 + c`, where `m` is the first column of `M`: a linear system
//! whose only input is `s_0^5` and of which only `s_0` is of interest. The rows `e_0 M'^j`, `j < T`, are its
//! observability matrix `O`. If `O` is invertible then
//!
//! - `e_0 M'^T` is a combination `a` of the rows before it (Cayley and Hamilton), so that
//!   `w_{k+T} = Σ a_i w_{k+i} + Σ b_i w_{k+i}^5 + c_{k+T}`, the same `a` and `b` in each round;
//! - the state is `O^-1` times what `T` rounds will show of it.
//!
//! Round constants are split off first: `s = ŝ + d` with `d' = M' d + c`, `ŝ' = M' ŝ + m s_0^5`.

use std::cmp::Ordering;

use halo2curves::ff::Field;

use super::{
    Error,
    matrix::{Matrix, dot, inverse, product, row_times, times_column},
};

/// The maps that carry a state through the partial rounds with one variable a round.
///
/// With `y_i` the fifth powers of the `T` inputs of the last full round, and `w_0 …` the inputs of the partial
/// rounds' S-boxes: [`FirstInputs`] gives `w_0 … w_{T-1}`, [`NextInput`] each later one, [`Leave`] the `T` inputs of
/// the full round that follows.
#[derive(Debug, Clone)]
pub struct Recurrence<F, const T: usize> {
    /// From the last full round to the first `T` inputs.
    pub first: FirstInputs<F, T>,
    /// From `T` inputs to the next.
    pub next: NextInput<F, T>,
    /// From the last `T` inputs to the next full round.
    pub leave: Leave<F, T>,
    /// `e_0 M'^j m`: what the first S-box sees of its output `j + 1` rounds later.
    pub(super) response: [F; T],
    /// `d_0` of each partial round.
    pub(super) offsets: Vec<F>,
    /// `d` after the last partial round.
    pub(super) last_offsets: [F; T],
    /// `O^-1`. Its first row and column are those of the identity.
    pub(super) unobserve: Matrix<F, T>,
}

/// `w_j = Σ_i fifth_before[j][i] y_i + Σ_{i<j} fifth[j][i] w_i^5 + constants[j]` for `j < T`.
#[derive(Debug, Clone)]
pub struct FirstInputs<F, const T: usize> {
    /// Coefficients of the last full round's fifth powers.
    pub fifth_before: [[F; T]; T],
    /// Coefficients of the fifth powers of the inputs before this one: 0 where `i >= j`.
    pub fifth: [[F; T]; T],
    /// One constant an input.
    pub constants: [F; T],
}

/// `w_{k+T} = Σ_i linear[i] w_{k+i} + Σ_i fifth[i] w_{k+i}^5 + constants[k]` for `k + T` below the partial rounds.
#[derive(Debug, Clone)]
pub struct NextInput<F, const T: usize> {
    /// Coefficients of the `T` inputs before. The first is 0, as an S-box passes on nothing else of its input.
    pub linear: [F; T],
    /// Coefficients of their fifth powers.
    pub fifth: [F; T],
    /// One constant for each partial round from the `T`-th on.
    pub constants: Vec<F>,
}

/// `w_i = Σ_j linear[i][j] v_j + Σ_j fifth[i][j] v_j^5 + constants[i]`, where `v_0 … v_{T-1}` are the inputs of the last
/// `T` partial rounds and `w_0 … w_{T-1}` those of the full round that follows.
#[derive(Debug, Clone)]
pub struct Leave<F, const T: usize> {
    /// Coefficients of the inputs. The first of each row is 0.
    pub linear: [[F; T]; T],
    /// Coefficients of their fifth powers.
    pub fifth: [[F; T]; T],
    /// One constant an input of the full round.
    pub constants: [F; T],
}

impl<F: Field, const T: usize> Recurrence<F, T> {
    /// Solves for the maps from the matrix and the round constants of the partial rounds (`T` rounds at least) and of
    /// the full round after them.
    pub(super) fn new(mds: &Matrix<F, T>, partial: &[[F; T]], after: &[F; T]) -> Result<Self, Error> {
        let blind = mds.map(|mut row| {
            row[0] = F::ZERO;
            row
        });
        let (observe, beyond) = observability(&blind);
        let unobserve = inverse(&observe).ok_or(Error::NotObservable)?;
        let linear = row_times(&beyond, &unobserve);

        let response = times_column(&observe, &mds.map(|row| row[0]));
        let fifth = std::array::from_fn(|i| {
            response[T - 1 - i] - (i + 1..T).map(|l| linear[l] * response[l - 1 - i]).sum::<F>()
        });

        let (offsets, last_offsets) = split_off(&blind, partial, after);
        let first = FirstInputs {
            fifth_before: product(&observe, mds),
            fifth: lower(F::ZERO, |j, i| response[j - 1 - i]),
            constants: std::array::from_fn(|j| offsets[j]),
        };
        let next_constants =
            offsets.windows(T + 1).map(|window| window[T] - dot(&linear, &window[..T])).collect();

        // Run on beyond the last round with nothing put in, the recurrence gives what `O` shows of the state. Less what it
        // takes there from elements that it gave itself (`i < j`), each is a sum over inputs of rounds before.
        let from_past: Matrix<F, T> = product(&lower(F::ONE, |j, i| -linear[T - j + i]), &observe);
        let state_from_past = inverse(&from_past).ok_or(Error::NotObservable)?;
        let leave_linear = product(&state_from_past, &upper(|j, i| linear[i - j]));
        let leave_fifth = product(&state_from_past, &upper(|j, i| fifth[i - j]));
        let tail = &offsets[offsets.len() - T..];
        let leave = Leave {
            linear: leave_linear,
            fifth: leave_fifth,
            constants: std::array::from_fn(|i| last_offsets[i] - dot(&leave_linear[i], tail)),
        };
        let next = NextInput { linear, fifth, constants: next_constants };
        Ok(Self { first, next, leave, response, offsets, last_offsets, unobserve })
    }
}

/// The rows `e_0 M'^j` for `j < T`, and the one for `j = T`.
fn observability<F: Field, const T: usize>(blind: &Matrix<F, T>) -> (Matrix<F, T>, [F; T]) {
    let mut row = [F::ZERO; T];
    row[0] = F::ONE;
    let mut rows = [row; T];
    for slot in &mut rows {
        *slot = row;
        row = row_times(&row, blind);
    }
    (rows, row)
}

/// What constants alone add: to the first element in each partial round, and to all after the last.
fn split_off<F: Field, const T: usize>(
    blind: &Matrix<F, T>,
    partial: &[[F; T]],
    after: &[F; T],
) -> (Vec<F>, [F; T]) {
    let mut sum = [F::ZERO; T];
    let mut seen = Vec::with_capacity(partial.len());
    for constants in partial.iter().chain([after]) {
        let moved = times_column(blind, &sum);
        sum = std::array::from_fn(|i| moved[i] + constants[i]);
        seen.push(sum[0]);
    }
    seen.pop();
    (seen, sum)
}

/// The matrix of `entry(row, column)` below the diagonal, `diagonal` on it and 0 above.
fn lower<F: Field, const T: usize>(diagonal: F, entry: impl Fn(usize, usize) -> F) -> Matrix<F, T> {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| match column.cmp(&row) {
            Ordering::Less => entry(row, column),
            Ordering::Equal => diagonal,
            Ordering::Greater => F::ZERO,
        })
    })
}

/// The matrix of `entry(row, column)` on and above the diagonal, 0 elsewhere.
fn upper<F: Field, const T: usize>(entry: impl Fn(usize, usize) -> F) -> Matrix<F, T> {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| if column >= row { entry(row, column) } else { F::ZERO })
    })
}

#[cfg(test)]
mod tests;
