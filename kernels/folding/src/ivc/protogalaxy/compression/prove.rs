//! The prover.

use halo2curves::bn256::G1Affine;
use halo2curves::grumpkin;

use super::{CompressedProof, ProverKey};
use crate::frontend::StepCircuit;
use crate::ivc::step::array;
use crate::ivc::{Error, IVC, PublicParams};
use crate::poseidon::{CircuitOracleFor, RandomOracleFor};
use crate::protogalaxy::Proof;
use crate::snark::accumulators::{self, Accumulators, Witnesses};

impl<const A1: usize, const A2: usize> IVC<A1, A2, G1Affine, grumpkin::G1Affine> {
    /// Compresses the proof of all steps so far; the computation is unchanged, and may continue.
    ///
    /// The proof of a computation whose own proof does not hold is made all the same, and refused.
    ///
    /// # Errors
    /// When these are other parameters than those of the computation, or the keys are of others.
    pub fn compress<const T: usize, SC1, SC2, RO1, RO2>(
        &self,
        pp: &PublicParams<'_, A1, A2, T, G1Affine, grumpkin::G1Affine, SC1, SC2, RO1, RO2>,
        key: &ProverKey<'_>,
    ) -> Result<CompressedProof<A1, A2>, Error>
    where
        SC1: StepCircuit<A1, halo2curves::bn256::Fr>,
        SC2: StepCircuit<A2, grumpkin::Fr>,
        RO1: CircuitOracleFor<halo2curves::bn256::Fr>,
        RO2: RandomOracleFor<grumpkin::Fr>,
    {
        self.check_parameters(pp.digest())?;
        if key.parameters != pp.digest() {
            return Err(Error::OtherParameters);
        }
        let state = &self.state;
        let folded = pp.parameters.fold_primary(state);
        // After one step the instance is lifted, for which nothing is sent.
        let fold = if state.steps > 1 {
            folded.proof
        } else {
            Proof { perturbator: Vec::new(), quotient: Vec::new() }
        };
        let claims = Accumulators { primary: &folded.accumulator, secondary: &state.secondary_accumulator };
        let vectors = Witnesses { primary: &folded.vector, secondary: &state.secondary_witness };
        Ok(CompressedProof {
            primary_output: array(&state.primary),
            secondary_output: array(&state.secondary),
            accumulator: state.accumulator.clone(),
            last: state.latest.commitments.clone(),
            fold,
            secondary_accumulator: state.secondary_accumulator.clone(),
            accumulators: accumulators::prove(&key.accumulators()?, &claims, &vectors)?,
        })
    }
}
