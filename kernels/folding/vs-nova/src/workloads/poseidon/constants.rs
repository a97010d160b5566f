//! The permutation of three elements, round by round as the paper has it (eprint 2019/458, section 2).

use std::ops::Range;

use halo2curves::{bn256::Fr, ff::Field};

use super::grain::Grain;

/// Elements of the state.
pub(super) const WIDTH: usize = 3;
const FULL_ROUNDS: usize = 8;
const PARTIAL_ROUNDS: usize = 57;
/// All rounds.
pub(super) const ROUNDS: usize = FULL_ROUNDS + PARTIAL_ROUNDS;

/// What its rounds add and mix by.
#[derive(Debug)]
pub(super) struct Constants {
    pub(super) round: Vec<[Fr; WIDTH]>,
    pub(super) matrix: [[Fr; WIDTH]; WIDTH],
}

impl Constants {
    pub(super) fn generate() -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "all are below a hundred")]
        let mut grain = Grain::new(WIDTH as u32, FULL_ROUNDS as u32, PARTIAL_ROUNDS as u32);
        let round = (0..ROUNDS).map(|_| std::array::from_fn(|_| grain.element_by_rejection())).collect();
        let points: [Fr; 2 * WIDTH] = std::array::from_fn(|_| grain.element_by_reduction());
        let entry = |row: usize, column: usize| {
            (points[row] + points[WIDTH + column]).invert().expect("no two of these points sum to zero")
        };
        Self { round, matrix: std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column))) }
    }

    /// circomlib's `Poseidon(2)`.
    pub(super) fn hash(&self, left: Fr, right: Fr) -> Fr {
        let mut state = [Fr::ZERO, left, right];
        for round in 0..ROUNDS {
            for (element, constant) in state.iter_mut().zip(self.round[round]) {
                *element += constant;
            }
            for element in &mut state[..sboxes(round)] {
                *element = fifth_power(*element);
            }
            state = self.mix(&state);
        }
        state[0]
    }

    /// The linear layer.
    pub(super) fn mix(&self, state: &[Fr; WIDTH]) -> [Fr; WIDTH] {
        self.matrix.map(|row| row[0] * state[0] + row[1] * state[1] + row[2] * state[2])
    }

    /// What is added before a round's S-boxes: the constants of that round, none after the last one.
    pub(super) fn of_round(&self, round: usize) -> [Fr; WIDTH] {
        self.round.get(round).copied().unwrap_or([Fr::ZERO; WIDTH])
    }
}

/// Elements, from the first one on, that this round's S-box is applied to.
pub(super) fn sboxes(round: usize) -> usize {
    let partial = FULL_ROUNDS / 2..FULL_ROUNDS / 2 + PARTIAL_ROUNDS;
    if partial.contains(&round) { 1 } else { WIDTH }
}

/// Consecutive rounds that have three S-boxes: one full round, or three partial ones.
pub(super) fn blocks() -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        (first < ROUNDS).then(|| {
            next += WIDTH / sboxes(first);
            first..next
        })
    })
}

/// The S-box.
pub(super) fn fifth_power(x: Fr) -> Fr {
    x.square().square() * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_one_and_two_is_circomlibs() {
        // circomlibjs `test/poseidon.js`; the first element of hadeshash's vector `poseidonperm_x5_254_3`.
        let hash = Constants::generate().hash(Fr::from(1), Fr::from(2));
        assert_eq!(format!("{hash:?}"), "0x115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a");
    }

    #[test]
    fn blocks_have_three_sboxes_each_and_all_rounds() {
        let blocks: Vec<_> = blocks().collect();
        assert_eq!(blocks.iter().cloned().flatten().collect::<Vec<_>>(), (0..ROUNDS).collect::<Vec<_>>());
        assert!(blocks.iter().all(|rounds| rounds.clone().map(sboxes).sum::<usize>() == WIDTH));
    }
}
