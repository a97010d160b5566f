//! Several partial rounds as one linear map, from what is non-linear in them to all that they compute.

use halo2_axiom::halo2curves::{bn256::Fr, ff::Field};

use super::next_constants;
use crate::parameters::Parameters;

/// `constant + sum of coefficients × basis`. The basis of `count` rounds: the S-box outputs of each of them,
/// then the elements 1 to t-1 of the state before them.
#[derive(Clone, Debug)]
pub(super) struct LinearMap {
    pub(super) coefficients: Vec<Fr>,
    pub(super) constant: Fr,
}

impl LinearMap {
    fn zero(size: usize) -> Self {
        Self { coefficients: vec![Fr::ZERO; size], constant: Fr::ZERO }
    }

    fn unit(size: usize, index: usize) -> Self {
        let mut map = Self::zero(size);
        map.coefficients[index] = Fr::ONE;
        map
    }

    fn add_scaled(&mut self, factor: Fr, other: &Self) {
        self.constant += factor * other.constant;
        for (mine, theirs) in self.coefficients.iter_mut().zip(&other.coefficients) {
            *mine += factor * theirs;
        }
    }
}

/// `count` partial rounds in a row, from a state that includes the constants of the first of them.
#[derive(Debug)]
pub(super) struct PartialRounds {
    /// The S-box inputs of all rounds but the first (whose input is element 0 of the state).
    pub(super) inner: Vec<LinearMap>,
    /// The state after the rounds, with the constants of the round that follows.
    pub(super) next: Vec<LinearMap>,
}

impl PartialRounds {
    /// Only the constants depend on `first_round`, so one gate serves all rows.
    pub(super) fn new(parameters: &Parameters, first_round: usize, count: usize) -> Self {
        let width = parameters.width;
        let size = count + width - 1;
        let mut state = vec![LinearMap::zero(size)];
        state.extend((count..size).map(|index| LinearMap::unit(size, index)));
        let mut inner = Vec::with_capacity(count - 1);
        for round in 0..count {
            state[0] = LinearMap::unit(size, round);
            state = mix(parameters, &state);
            let constants = next_constants(parameters, first_round + round + 1);
            for (map, constant) in state.iter_mut().zip(constants) {
                map.constant += constant;
            }
            if round + 1 < count {
                inner.push(state[0].clone());
            }
        }
        Self { inner, next: state }
    }
}

fn mix(parameters: &Parameters, state: &[LinearMap]) -> Vec<LinearMap> {
    let size = state[0].coefficients.len();
    let mixed_row = |row: &Vec<Fr>| {
        let mut sum = LinearMap::zero(size);
        for (&factor, map) in row.iter().zip(state) {
            sum.add_scaled(factor, map);
        }
        sum
    };
    parameters.matrix.iter().map(mixed_row).collect()
}
