//! What compressed proofs are made and checked with.

use std::sync::Arc;

use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::PrimeField as _;
use halo2curves::grumpkin;
use sha2::{Digest as _, Sha256};

use crate::commitment::CommitmentKey;
use crate::frontend::StepCircuit;
use crate::ivc::protogalaxy::hashes::Hashes;
use crate::ivc::{Error, PublicParams};
use crate::poseidon::{CircuitOracleFor, RandomOracleFor};
use crate::protogalaxy::FoldShape;
use crate::relation::Relation;
use crate::snark::{accumulators, hyperkzg};

/// What [`IVC::compress`](super::super::IVC::compress) needs in addition to the public parameters.
#[derive(Clone, Debug)]
pub struct ProverKey<'key> {
    pub(super) parameters: Fr,
    verifier: Arc<accumulators::VerifierKey>,
    powers_of_tau: &'key [G1Affine],
}

/// What [`CompressedProof::verify`](super::CompressedProof::verify) needs: both circuits, the oracle, and what openings are
/// checked with. Unlike public parameters it holds no commitment key but the short one that secondary commitments need,
/// and no layout of a step circuit.
///
/// A key is what a proof is trusted by: take it from public parameters, or from bytes whose [`VerifierKey::digest`] is
/// known from where it is trusted.
#[derive(Clone)]
pub struct VerifierKey<const A1: usize, const A2: usize, RO: CircuitOracleFor<Fr>> {
    pub(super) hashes: Arc<Hashes<Fr, RO>>,
    pub(super) fold: FoldShape,
    /// Of which the accumulators' key has the relaxed form.
    pub(super) secondary: Arc<Relation<grumpkin::Fr>>,
    pub(super) accumulators: Arc<accumulators::VerifierKey>,
}

impl ProverKey<'_> {
    pub(super) fn accumulators(&self) -> Result<accumulators::ProverKey<'_>, Error> {
        Ok(accumulators::ProverKey::new(&self.verifier, self.powers_of_tau)?)
    }
}

impl<const A1: usize, const A2: usize, RO: CircuitOracleFor<Fr>> VerifierKey<A1, A2, RO> {
    /// SHA-256 of everything that decides which proofs are accepted.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let Hashes { oracles, limbs, digest, challenges } = &*self.hashes;
        let mut hash = Sha256::new_with_prefix(b"elastic-folding verifier key 1");
        hash.update(digest.to_repr());
        let sizes =
            [A1, A2, oracles.boxes, limbs.limb_width(), limbs.limbs_count(), challenges[0], challenges[1]];
        for size in sizes {
            hash.update((size as u64).to_le_bytes());
        }
        hash.update(RO::digest(&oracles.constants));
        hash.update(self.accumulators.digest());
        hash.finalize().into()
    }
}

impl<'key, const A1: usize, const A2: usize, const T: usize, SC1, SC2, RO1, RO2>
    PublicParams<'key, A1, A2, T, G1Affine, grumpkin::G1Affine, SC1, SC2, RO1, RO2>
where
    SC1: StepCircuit<A1, Fr>,
    SC2: StepCircuit<A2, grumpkin::Fr>,
    RO1: CircuitOracleFor<Fr>,
    RO2: RandomOracleFor<grumpkin::Fr>,
{
    /// The keys that compressed proofs of these parameters are made and checked with.
    ///
    /// # Errors
    /// [`Error::Transparent`] unless the primary commitment key is of powers of tau.
    pub fn compression_keys(&self) -> Result<(ProverKey<'key>, VerifierKey<A1, A2, RO1>), Error> {
        let (primary, secondary) = (&self.parameters.primary, &self.parameters.secondary);
        let structured = primary.key.structured().ok_or(Error::Transparent)?;
        let powers_of_tau = primary.key.points();
        let powers =
            hyperkzg::VerifierKey { g1: powers_of_tau[0], g2: structured.g2, tau_g2: structured.tau_g2 };
        let key = accumulators::VerifierKey::new(
            Arc::clone(&primary.relation),
            Arc::clone(&secondary.relaxed),
            powers,
            secondary.key.points(),
            inner_product_base(secondary.key)?,
        )?;
        let verifier = VerifierKey {
            hashes: Arc::clone(&self.parameters.hashes),
            fold: primary.fold,
            secondary: Arc::clone(&secondary.relation),
            accumulators: Arc::new(key),
        };
        let prover = ProverKey {
            parameters: self.digest(),
            verifier: Arc::clone(&verifier.accumulators),
            powers_of_tau,
        };
        // So that a key too short is found here, and not after a computation.
        prover.accumulators()?;
        Ok((prover, verifier))
    }
}

/// A point of which nobody knows a relation to those of a key: derived from the key's digest, so that no key holds it.
fn inner_product_base(key: &CommitmentKey<grumpkin::G1Affine>) -> Result<grumpkin::G1Affine, Error> {
    let label = [b"elastic-folding inner-product base".as_slice(), &key.digest()].concat();
    Ok(CommitmentKey::setup(0, &label)?.points()[0])
}
