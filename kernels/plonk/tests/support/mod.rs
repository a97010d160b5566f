//! Proving and verifying for tests: keys of halo2-axiom, proofs of this prover, and its verifier.

pub(crate) mod following;
pub(crate) mod known;
pub(crate) mod mixed;
pub(crate) mod plugin;
pub(crate) mod poseidon_transcript;
pub(crate) mod random;

use elastic_plonk::{Error, Multiopen, Prover};
use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    plonk::{Circuit, ProvingKey, keygen_pk2, verify_proof},
    poly::{
        commitment::Verifier,
        kzg::{
            commitment::{KZGCommitmentScheme, ParamsKZG},
            msm::DualMSM,
            multiopen::{ProverGWC, ProverSHPLONK, VerifierGWC, VerifierSHPLONK},
            strategy::{GuardKZG, SingleStrategy},
        },
    },
    transcript::{Blake2bRead, Blake2bWrite, Challenge255, TranscriptReadBuffer, TranscriptWriterBuffer},
};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

pub(crate) type Scheme = KZGCommitmentScheme<Bn256>;
pub(crate) type Shplonk = ProverSHPLONK<'static, Bn256>;
pub(crate) type Gwc = ProverGWC<'static, Bn256>;
pub(crate) type Writer = Blake2bWrite<Vec<u8>, G1Affine, Challenge255<G1Affine>>;

/// A generator of known numbers.
pub(crate) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// Set-up parameters of a known secret.
pub(crate) fn params(k: u32) -> ParamsKZG<Bn256> {
    ParamsKZG::setup(k, rng(u64::from(k)))
}

/// Parameters, key and prover of a circuit.
pub(crate) struct Setup {
    pub(crate) params: ParamsKZG<Bn256>,
    pub(crate) key: ProvingKey<G1Affine>,
    pub(crate) prover: Prover,
}

impl Setup {
    pub(crate) fn new<C: Circuit<Fr>>(k: u32, shape: &C) -> Self {
        Self::of_params(params(k), shape)
    }

    pub(crate) fn of_params<C: Circuit<Fr>>(params: ParamsKZG<Bn256>, shape: &C) -> Self {
        let key = keygen_pk2(&params, shape, false).expect("a key");
        let prover = Prover::new(&params, &key).expect("a prover");
        Self { params, key, prover }
    }

    /// A proof with randomness of the seed.
    pub(crate) fn prove<M: Multiopen, C: Circuit<Fr>>(
        &self,
        seed: u64,
        circuits: &[C],
        instances: &[Vec<Vec<Fr>>],
    ) -> Result<Vec<u8>, Error> {
        let mut transcript = Writer::init(Vec::new());
        borrowed(instances, |instances| {
            self.prover.prove_with::<M, _, _, _>(circuits, instances, rng(seed), &mut transcript, &mut ())
        })?;
        Ok(transcript.finalize())
    }

    /// Whether halo2-axiom accepts a proof by SHPLONK.
    pub(crate) fn accepts(&self, proof: &[u8], instances: &[Vec<Vec<Fr>>]) -> bool {
        self.accepts_by::<VerifierSHPLONK<'_, Bn256>>(proof, instances)
    }

    /// Whether halo2-axiom accepts a proof by GWC.
    pub(crate) fn accepts_gwc(&self, proof: &[u8], instances: &[Vec<Vec<Fr>>]) -> bool {
        self.accepts_by::<VerifierGWC<'_, Bn256>>(proof, instances)
    }

    fn accepts_by<'p, V>(&'p self, proof: &[u8], instances: &[Vec<Vec<Fr>>]) -> bool
    where
        V: Verifier<'p, Scheme, Guard = GuardKZG<'p, Bn256>, MSMAccumulator = DualMSM<'p, Bn256>>,
    {
        let mut transcript = Blake2bRead::<_, G1Affine, Challenge255<_>>::init(proof);
        let strategy = SingleStrategy::new(&self.params);
        let key = self.key.get_vk();
        borrowed(instances, |instances| {
            verify_proof::<Scheme, V, _, _, _>(&self.params, key, strategy, instances, &mut transcript)
                .is_ok()
        })
    }
}

/// Instances as halo2-axiom takes them.
pub(crate) fn borrowed<R>(instances: &[Vec<Vec<Fr>>], then: impl FnOnce(&[&[&[Fr]]]) -> R) -> R {
    let columns: Vec<Vec<&[Fr]>> =
        instances.iter().map(|columns| columns.iter().map(Vec::as_slice).collect()).collect();
    then(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>())
}
