//! Proving and verifying, side by side.

use std::sync::OnceLock;

use halo2_axiom::{
    halo2curves::{
        bn256::{Bn256, Fr},
        ff::PrimeField,
    },
    plonk::verify_proof,
    poly::kzg::{commitment::KZGCommitmentScheme, multiopen::VerifierSHPLONK, strategy::SingleStrategy},
};

use crate::{
    decimal::parse_decimal,
    error::{Error, Rejection, SrsError},
    input::{INPUTS_MAX, Input},
    keys::Keys,
    maker::Maker,
    observer::{Observer, Unobserved, reach},
    permutation::hash,
    proof_text::{decode_proof, encode_proof},
    srs::Srs,
    transcript::RewritingTranscript,
};

type Scheme = KZGCommitmentScheme<Bn256>;

/// Makes and checks proofs under one set of set-up parameters. Share one: it keeps the keys.
#[derive(Debug)]
pub struct Prover {
    srs: Srs,
    keys: Keys,
    maker: Maker,
}

impl Prover {
    /// Under the given set-up parameters.
    #[must_use]
    pub fn new(srs: Srs) -> Self {
        Self { srs, keys: Keys::default(), maker: Maker::default() }
    }

    /// Under the powers-of-tau file that `ELASTIC_SRS_PATH` names, or else under the development parameters,
    /// with a warning on stderr: with those, anyone can forge proofs.
    ///
    /// # Errors
    ///
    /// When the named file cannot be used. There is no falling back from a named file.
    pub fn from_env() -> Result<Self, SrsError> {
        Srs::from_env().map(Self::new)
    }

    /// The prover of this process, made by [`Prover::from_env`] at first use.
    ///
    /// # Errors
    ///
    /// As [`Prover::from_env`]; a failure is not cached, so a file that appears later is found.
    pub fn global() -> Result<&'static Self, SrsError> {
        static GLOBAL: OnceLock<Prover> = OnceLock::new();
        if let Some(prover) = GLOBAL.get() {
            return Ok(prover);
        }
        let prover = Self::from_env()?;
        Ok(GLOBAL.get_or_init(|| prover))
    }

    /// Whether anyone can forge proofs under these set-up parameters.
    #[must_use]
    pub fn is_development(&self) -> bool {
        self.srs.is_development()
    }

    /// Makes the key for a number of inputs, so that the first proof does not wait for it.
    ///
    /// # Errors
    ///
    /// [`Error::ProofSystem`] only.
    ///
    /// # Panics
    ///
    /// Unless `inputs` is 1 to 16.
    pub fn warm(&self, inputs: usize) -> Result<(), Error> {
        let key = self.keys.get(&self.srs, inputs)?;
        self.maker.prepare(&self.srs, key, inputs)
    }

    /// Proves that the private input hashes to the public input, checks the proof, and returns it as text.
    ///
    /// # Errors
    ///
    /// [`Error::WrongPublicInput`] if it does not.
    pub fn prove(&self, input: &Input) -> Result<String, Error> {
        self.prove_observed(input, &Unobserved)
    }

    /// [`Prover::prove`], reporting to the observer how far it is and stopping when it says so.
    ///
    /// # Errors
    ///
    /// As [`Prover::prove`], and [`Error::Cancelled`].
    pub fn prove_observed(&self, input: &Input, observer: &dyn Observer) -> Result<String, Error> {
        let witness = input.private_elements();
        let public = input.public_element();
        if hash(&witness) != public {
            return Err(Error::WrongPublicInput);
        }
        reach(observer, 0.1)?;
        let key = self.keys.get(&self.srs, witness.len())?;
        reach(observer, 0.2)?;
        let proof = self.maker.create(&self.srs, key, &witness, public)?;
        reach(observer, 0.9)?;
        self.check(input.inputs(), public, &proof)
            .map_err(|rejection| Error::ProofSystem(format!("its own proof was rejected: {rejection}")))?;
        observer.progress(1.0);
        Ok(encode_proof(input.inputs(), &proof))
    }

    /// Accepts a proof of the statement "I know `inputs` elements that hash to `public_input`".
    ///
    /// # Errors
    ///
    /// [`Rejection`] says at which check it fell. One statement has many proofs, but each proof has exactly
    /// one text that is accepted.
    pub fn verify(&self, inputs: usize, public_input: &str, proof_text: &str) -> Result<(), Rejection> {
        if !(1..=INPUTS_MAX).contains(&inputs) {
            return Err(Rejection::Inputs(inputs));
        }
        let public = parse_decimal(public_input).map_err(Rejection::PublicInput)?;
        self.check(inputs, public, &decode_proof(inputs, proof_text)?)
    }

    fn check(&self, inputs: usize, public: Fr, proof: &[u8]) -> Result<(), Rejection> {
        let key = self.keys.get(&self.srs, inputs).map_err(|_| Rejection::Invalid)?;
        let mut transcript = RewritingTranscript::new(proof);
        verify_proof::<Scheme, VerifierSHPLONK<'_, Bn256>, _, _, _>(
            self.srs.params(),
            key.get_vk(),
            SingleStrategy::new(self.srs.params()),
            &[&[&[public]]],
            &mut transcript,
        )
        .map_err(|_| Rejection::Invalid)?;
        if transcript.into_rewritten() == proof { Ok(()) } else { Err(Rejection::NotCanonical) }
    }

    /// A digest of the verifying key, and so of the circuit and the set-up parameters: 64 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// [`Error::ProofSystem`] only.
    ///
    /// # Panics
    ///
    /// Unless `inputs` is 1 to 16.
    pub fn key_digest(&self, inputs: usize) -> Result<String, Error> {
        let digest = self.keys.get(&self.srs, inputs)?.get_vk().transcript_repr().to_repr();
        Ok(digest.as_ref().iter().rev().map(|byte| format!("{byte:02x}")).collect())
    }
}
