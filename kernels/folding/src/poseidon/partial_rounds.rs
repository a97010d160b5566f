//! All partial rounds at once, in the basis in which a round is a shift.

use halo2curves::ff::Field;

use super::{
    Recurrence,
    matrix::{dot, times_column},
    permutation::fifth_power,
};

impl<F: Field, const T: usize> Recurrence<F, T> {
    /// Takes the fifth powers of the last full round's inputs to the inputs of the next full round, and shows each
    /// partial round's input to `see`.
    ///
    /// The state is held as what the next `T` rounds will see of it if no S-box puts anything in. A round moves that
    /// by one, adds what will be seen of this round's S-box's output, and gets what will be seen last by the recurrence.
    /// That is `2 T - 1` products, with the same factors in each round.
    pub(super) fn partial_rounds(&self, before: &[F; T], mut see: impl FnMut(F)) -> [F; T] {
        let mut seen = times_column(&self.first.fifth_before, before);
        for offset in &self.offsets {
            let input = seen[0] + offset;
            see(input);
            let output = fifth_power(input);
            let last = dot(&self.next.linear[1..], &seen[1..]);
            for j in 0..T - 1 {
                seen[j] = seen[j + 1] + self.response[j] * output;
            }
            seen[T - 1] = last + self.response[T - 1] * output;
        }
        std::array::from_fn(|i| {
            let own = if i == 0 { seen[0] } else { dot(&self.unobserve[i][1..], &seen[1..]) };
            own + self.last_offsets[i]
        })
    }
}
