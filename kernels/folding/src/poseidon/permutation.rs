//! The permutation, quick and plain.

use halo2curves::ff::{Field, PrimeField};

use super::{Spec, matrix::times_column};

impl<F: PrimeField, const T: usize, const RATE: usize> Spec<F, T, RATE> {
    /// Permutes the state.
    pub fn permute(&self, state: &mut [F; T]) {
        self.permute_seen(state, |_| {});
    }

    /// Permutes the state and shows the input of every S-box, in order: `T` for each full round of the first half, one
    /// for each partial round, `T` for each full round of the second half. These are the values of the variables that
    /// a circuit has for a permutation.
    pub fn permute_seen(&self, state: &mut [F; T], mut see: impl FnMut(F)) {
        let half = self.full_rounds() / 2;
        let (before, rest) = self.round_constants().split_at(half);
        let after = &rest[self.partial_rounds()..];

        let mut inputs = *state;
        for (round, constants) in before.iter().enumerate() {
            if round > 0 {
                inputs = times_column(self.mds(), &inputs);
            }
            add(&mut inputs, constants);
            inputs.iter().for_each(|&input| see(input));
            inputs.iter_mut().for_each(|input| *input = fifth_power(*input));
        }
        inputs = self.recurrence().partial_rounds(&inputs, &mut see);
        for (round, constants) in after.iter().enumerate() {
            if round > 0 {
                add(&mut inputs, constants);
            }
            inputs.iter().for_each(|&input| see(input));
            inputs.iter_mut().for_each(|input| *input = fifth_power(*input));
            inputs = times_column(self.mds(), &inputs);
        }
        *state = inputs;
    }

    /// Permutes the state as the paper defines it: each round adds its constants, applies the S-box, and mixes. The
    /// slow twin of [`Self::permute`].
    pub fn permute_plain(&self, state: &mut [F; T]) {
        let half = self.full_rounds() / 2;
        for (round, constants) in self.round_constants().iter().enumerate() {
            add(state, constants);
            let is_full = round < half || round >= half + self.partial_rounds();
            let substituted = if is_full { T } else { 1 };
            state[..substituted].iter_mut().for_each(|element| *element = fifth_power(*element));
            *state = times_column(self.mds(), state);
        }
    }
}

fn add<F: Field, const T: usize>(state: &mut [F; T], constants: &[F; T]) {
    for (element, constant) in state.iter_mut().zip(constants) {
        *element += constant;
    }
}

/// The S-box.
pub(super) fn fifth_power<F: Field>(x: F) -> F {
    x.square().square() * x
}

#[cfg(test)]
mod tests;
