//! The peer: nova-snark over bn256 and grumpkin, with Spartan and HyperKZG, as its own examples use it.

use halo2curves::bn256::Fr;
use nova_snark::{
    nova::{CompressedSNARK, ProverKey, PublicParams, RecursiveSNARK, VerifierKey},
    provider::{Bn256EngineKZG, GrumpkinEngine, hyperkzg, ipa_pc},
    spartan::snark::RelaxedR1CSSNARK,
    traits::{circuit::StepCircuit, snark::RelaxedR1CSSNARKTrait},
};

use crate::{error::Error, side::Side, workload::Workload};

type E1 = Bn256EngineKZG;
type E2 = GrumpkinEngine;
type S1 = RelaxedR1CSSNARK<E1, hyperkzg::EvaluationEngine<E1>>;
type S2 = RelaxedR1CSSNARK<E2, ipa_pc::EvaluationEngine<E2>>;
type Compressed<C> = CompressedSNARK<E1, E2, C, S1, S2>;
type Keys<C> = (ProverKey<E1, E2, C, S1, S2>, VerifierKey<E1, E2, C, S1, S2>);

const NAME: &str = "nova-snark";

/// A workload as rank-1 constraints.
pub(crate) trait NovaWorkload: Workload {
    /// The step, with its advice.
    type Circuit: StepCircuit<Fr>;

    /// The circuit of the step that has this advice.
    fn circuit(&self, advice: &Self::Advice) -> Self::Circuit;
}

/// What nova-snark has made so far.
pub(crate) struct Nova<W: NovaWorkload> {
    workload: W,
    parameters: Option<PublicParams<E1, E2, W::Circuit>>,
    proof: Option<RecursiveSNARK<E1, E2, W::Circuit>>,
    keys: Option<Keys<W::Circuit>>,
}

impl<W: NovaWorkload> Nova<W> {
    pub(crate) fn new(workload: W) -> Self {
        Self { workload, parameters: None, proof: None, keys: None }
    }

    fn parameters(&self) -> Result<&PublicParams<E1, E2, W::Circuit>, Error> {
        self.parameters.as_ref().ok_or(Error::NotReady(NAME))
    }

    fn proof(&self) -> Result<&RecursiveSNARK<E1, E2, W::Circuit>, Error> {
        self.proof.as_ref().ok_or(Error::NotReady(NAME))
    }

    fn keys(&self) -> Result<&Keys<W::Circuit>, Error> {
        self.keys.as_ref().ok_or(Error::NotReady(NAME))
    }
}

impl<W: NovaWorkload> Side<W> for Nova<W> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn setup(&mut self, first: &W::Advice) -> Result<String, Error> {
        let circuit = self.workload.circuit(first);
        let parameters = PublicParams::setup(&circuit, &*S1::ck_floor(), &*S2::ck_floor())?;
        let (constraints, variables) = (parameters.num_constraints(), parameters.num_variables());
        self.parameters = Some(parameters);
        Ok(format!(
            "{} + {} constraints, {} + {} variables",
            constraints.0, constraints.1, variables.0, variables.1
        ))
    }

    fn step(&mut self, advice: &W::Advice) -> Result<(), Error> {
        let circuit = self.workload.circuit(advice);
        let parameters = self.parameters.as_ref().ok_or(Error::NotReady(NAME))?;
        if self.proof.is_none() {
            // What it calls new proves the first step; the call for that step only counts it.
            self.proof = Some(RecursiveSNARK::new(parameters, &circuit, &self.workload.z0())?);
        }
        let proof = self.proof.as_mut().ok_or(Error::NotReady(NAME))?;
        Ok(proof.prove_step(parameters, &circuit)?)
    }

    fn z(&self) -> Result<Vec<Fr>, Error> {
        Ok(self.proof()?.outputs().to_vec())
    }

    fn verify(&self, steps: usize) -> Result<Vec<Fr>, Error> {
        Ok(self.proof()?.verify(self.parameters()?, steps, &self.workload.z0())?)
    }

    fn setup_compress(&mut self) -> Result<(), Error> {
        self.keys = Some(Compressed::setup(self.parameters()?)?);
        Ok(())
    }

    fn compress(&self) -> Result<Vec<u8>, Error> {
        let proof = Compressed::prove(self.parameters()?, &self.keys()?.0, self.proof()?)?;
        Ok(bincode::serde::encode_to_vec(&proof, bincode::config::legacy())?)
    }

    fn verify_compressed(&self, proof: &[u8], steps: usize) -> Result<Vec<Fr>, Error> {
        let (proof, _): (Compressed<W::Circuit>, _) =
            bincode::serde::decode_from_slice(proof, bincode::config::legacy())?;
        Ok(proof.verify(&self.keys()?.1, steps, &self.workload.z0())?)
    }
}

#[cfg(test)]
mod tests;
