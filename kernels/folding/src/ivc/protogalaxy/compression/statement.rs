//! What a proof claims of a computation, as its verifier knows it.

use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::Field as _;
use halo2curves::grumpkin;

use super::{CompressedProof, VerifierKey};
use crate::cross_term;
use crate::ivc::Refusal;
use crate::ivc::protogalaxy::state::State;
use crate::poseidon::CircuitOracleFor;
use crate::protogalaxy::{self, Accumulator};
use crate::relation::Instance;

impl<const A1: usize, const A2: usize> CompressedProof<A1, A2> {
    /// The state after so many steps from these inputs, without vectors.
    pub(super) fn state(
        &self,
        steps: u64,
        primary_z_0: &[Fr; A1],
        secondary_z_0: &[grumpkin::Fr; A2],
    ) -> State<G1Affine, grumpkin::G1Affine> {
        State {
            steps,
            primary_start: primary_z_0.to_vec(),
            primary: self.primary_output.to_vec(),
            secondary_start: secondary_z_0.to_vec(),
            secondary: self.secondary_output.to_vec(),
            accumulator: self.accumulator.clone(),
            accumulator_vector: Vec::new(),
            latest: Instance {
                commitments: self.last.clone(),
                publics: vec![Fr::ZERO],
                challenges: Vec::new(),
            },
            latest_vector: Vec::new(),
            secondary_accumulator: self.secondary_accumulator.clone(),
            secondary_witness: cross_term::Witness { vector: Vec::new(), error: Vec::new() },
        }
    }
}

impl<const A1: usize, const A2: usize, RO: CircuitOracleFor<Fr>> VerifierKey<A1, A2, RO> {
    /// Completes the last instance: its public input is the hash of the state, its challenges follow from its commitments.
    pub(super) fn complete(&self, state: &mut State<G1Affine, grumpkin::G1Affine>) {
        state.latest.publics = vec![self.hashes.state_hash(state)];
        state.latest.challenges = vec![Fr::ZERO; self.fold.challenges];
        state.latest.challenges = self.hashes.primary_challenges(&state.latest);
    }

    /// The primary accumulator with the last instance in it.
    pub(super) fn folded(
        &self,
        state: &State<G1Affine, grumpkin::G1Affine>,
        fold: &protogalaxy::Proof<Fr>,
    ) -> Result<Accumulator<G1Affine>, Refusal> {
        if state.steps > 1 {
            let mut oracle = self.hashes.fold_oracle(state);
            return Ok(protogalaxy::verify(
                self.fold,
                &state.accumulator,
                &[&state.latest],
                fold,
                &mut oracle,
            )?);
        }
        if !fold.perturbator.is_empty() || !fold.quotient.is_empty() {
            return Err(Refusal::Shape("fold of a first instance"));
        }
        let mut oracle = self.hashes.lift_oracle(&state.latest);
        Ok(Accumulator::lift(&self.fold, state.latest.clone(), &mut oracle))
    }
}
