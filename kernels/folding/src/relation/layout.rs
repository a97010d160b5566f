//! Where the parts of the vector are.

use std::ops::Range;

/// The parts of `z = (1 | public | challenges | round 1 | .. | round R)`, by their lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Public inputs.
    pub publics: usize,
    /// Challenges, drawn after the commitments of the rounds before the last.
    pub challenges: usize,
    /// The lengths of what the prover commits to, round by round.
    pub rounds: Vec<usize>,
}

impl Layout {
    /// The index of the constant 1.
    pub const ONE: usize = 0;

    /// Where public inputs are.
    #[must_use]
    pub fn public(&self) -> Range<usize> {
        1..1 + self.publics
    }

    /// Where challenges are.
    #[must_use]
    pub fn challenge(&self) -> Range<usize> {
        let start = 1 + self.publics;
        start..start + self.challenges
    }

    /// Where the values of a round are; rounds are numbered from 0.
    #[must_use]
    pub fn round(&self, round: usize) -> Range<usize> {
        let start = 1 + self.publics + self.challenges + self.rounds[..round].iter().sum::<usize>();
        start..start + self.rounds[round]
    }

    /// The length of the vector.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it holds at least the constant 1")]
    pub fn len(&self) -> usize {
        1 + self.publics + self.challenges + self.rounds.iter().sum::<usize>()
    }
}
