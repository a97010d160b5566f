//! The Poseidon parameters x5_254 over BN254, as circomlib and hadeshash publish them.

use std::sync::OnceLock;

use halo2_axiom::halo2curves::bn256::Fr;

use crate::{grain::Grain, input::INPUTS_MAX};

/// Full rounds of every width: four before and four after the partial ones.
pub const FULL_ROUNDS: usize = 8;

/// Partial rounds for the widths 2 to 17 (circomlib `circuits/poseidon.circom`, `N_ROUNDS_P`).
const PARTIAL_ROUNDS: [usize; INPUTS_MAX] = [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];

/// Everything that defines the permutation of one width.
#[derive(Debug)]
pub struct Parameters {
    /// Elements of the state, `t`: the number of inputs plus one.
    pub width: usize,
    /// Rounds with an S-box on the first element only; half of [`FULL_ROUNDS`] stands before and after them.
    pub partial_rounds: usize,
    /// What each round adds to the state: `rounds()` lists of `width` elements.
    pub round_constants: Vec<Vec<Fr>>,
    /// The Cauchy matrix that mixes the state, `width` rows of `width` elements.
    pub matrix: Vec<Vec<Fr>>,
}

impl Parameters {
    /// All rounds, full and partial.
    #[must_use]
    pub fn rounds(&self) -> usize {
        FULL_ROUNDS + self.partial_rounds
    }

    fn generate(inputs: usize) -> Self {
        let width = inputs + 1;
        let partial_rounds = PARTIAL_ROUNDS[inputs - 1];
        let mut grain = Grain::new(width, FULL_ROUNDS, partial_rounds);
        let round_constants = (0..FULL_ROUNDS + partial_rounds)
            .map(|_| (0..width).map(|_| grain.element_by_rejection()).collect())
            .collect();
        let points: Vec<Fr> = (0..2 * width).map(|_| grain.element_by_reduction()).collect();
        let (xs, ys) = points.split_at(width);
        // The reference draws again while two points collide or a sum is zero; for these sixteen widths the
        // first draw is good, which the known-answer tests pin.
        let matrix = xs
            .iter()
            .map(|x| ys.iter().map(|y| (x + y).invert().expect("no sum of two points is zero")).collect())
            .collect();
        Self { width, partial_rounds, round_constants, matrix }
    }
}

/// The parameters for hashing `inputs` elements, generated at first use and cached.
///
/// # Panics
///
/// Unless `inputs` is 1 to [`INPUTS_MAX`]: checked before by everything that takes input.
#[must_use]
pub fn parameters(inputs: usize) -> &'static Parameters {
    static ALL: [OnceLock<Parameters>; INPUTS_MAX] = [const { OnceLock::new() }; INPUTS_MAX];
    assert!((1..=INPUTS_MAX).contains(&inputs), "Poseidon hashes 1 to {INPUTS_MAX} elements, not {inputs}");
    ALL[inputs - 1].get_or_init(|| Parameters::generate(inputs))
}
