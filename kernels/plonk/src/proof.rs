//! One proof, stage by stage, in the order of halo2's `create_proof`: what is written to the transcript, and when the
//! generator is drawn from, is the same.

mod columns;
mod lookups;
mod openings;
mod products;
mod quotient;
mod witness;

use std::marker::PhantomData;

use columns::CircuitColumns;
use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
    },
    plonk::Circuit,
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;
use zkaccel::{Buffer, Context};

use crate::{
    engine::Engine,
    error::{Error, Result},
    key::Key,
    multiopen::{Multiopen, Tools},
    program::Scalar,
    secret::SecretValues,
    srs::{Basis, Srs},
    stage::Stage,
};

/// What is needed to make one.
pub(crate) struct Proof<'a, E, R, T> {
    srs: &'a Srs,
    key: &'a Key,
    engine: &'a Engine<'a>,
    rng: &'a mut R,
    transcript: &'a mut T,
    challenges: Challenges,
    encoding: PhantomData<E>,
}

/// What the transcript returned.
#[derive(Default)]
pub(crate) struct Challenges {
    theta: Fr,
    beta: Fr,
    gamma: Fr,
    y: Fr,
    of_circuit: Vec<Fr>,
    /// delta^j for each column of the permutation.
    deltas: Vec<Fr>,
}

impl Challenges {
    /// What a program is handed on the coset of a shift; over the rows themselves that is 1.
    fn scalar(&self, scalar: Scalar, shift: Fr) -> Fr {
        match scalar {
            Scalar::Theta => self.theta,
            Scalar::Beta => self.beta,
            Scalar::Gamma => self.gamma,
            Scalar::Y => self.y,
            Scalar::Identity(j) => self.beta * self.deltas[j] * shift,
            Scalar::Challenge(at) => self.of_circuit[at],
            Scalar::Factor(_) => unreachable!("constraints combine no parts"),
        }
    }
}

impl<'a, E, R, T> Proof<'a, E, R, T>
where
    E: EncodedChallenge<G1Affine>,
    R: RngCore,
    T: TranscriptWrite<G1Affine, E>,
{
    pub(crate) fn new(
        srs: &'a Srs,
        key: &'a Key,
        engine: &'a Engine<'a>,
        rng: &'a mut R,
        transcript: &'a mut T,
    ) -> Self {
        let challenges = Challenges { deltas: key.deltas(), ..Challenges::default() };
        Self { srs, key, engine, rng, transcript, challenges, encoding: PhantomData }
    }

    pub(crate) fn create<M: Multiopen, C: Circuit<Fr>>(
        mut self,
        circuits: &[C],
        instances: &[&[&[Fr]]],
    ) -> Result<()> {
        let engine = self.engine;
        self.transcript.common_scalar(self.key.transcript_repr)?;
        for value in instances.iter().copied().flatten().copied().flatten() {
            self.transcript.common_scalar(*value)?;
        }
        let mut columns = self.synthesize(circuits, instances)?;
        engine.end(Stage::Witness)?;

        self.challenges.theta = self.squeeze();
        self.permute_lookups(&mut columns)?;
        engine.end(Stage::Lookups)?;

        self.challenges.beta = self.squeeze();
        self.challenges.gamma = self.squeeze();
        self.commit_to_products(&mut columns)?;
        let random_poly = self.commit_to_random_poly()?;
        engine.end(Stage::Products)?;

        self.challenges.y = self.squeeze();
        self.interpolate(&mut columns)?;
        let pieces = self.commit_to_quotient(&columns)?;
        engine.end(Stage::Quotient)?;

        let x = self.squeeze();
        let opened = self.evaluate(&columns, pieces, random_poly, x)?;
        engine.end(Stage::Evaluations)?;

        let tools = Tools { srs: self.srs, engine, staged: self.key.strategy.staged };
        M::open(&tools, &opened.queries(), self.transcript)?;
        engine.end(Stage::Openings)
    }

    fn context(&self) -> &'a Context {
        self.srs.context()
    }

    fn squeeze(&mut self) -> Fr {
        *self.transcript.squeeze_challenge_scalar::<()>()
    }

    fn random(&mut self, n: usize) -> SecretValues {
        SecretValues((0..n).map(|_| Fr::random(&mut *self.rng)).collect())
    }

    /// halo2 draws a blinding factor for each commitment, and KZG ignores it. Drawing them too makes the same proof of the
    /// same generator.
    fn skip_blind(&mut self) {
        let _ = Fr::random(&mut *self.rng);
    }

    fn commit(&mut self, basis: Basis, columns: &[&Buffer<Fr>]) -> Result<()> {
        for commitment in self.srs.commit(self.engine, self.key.strategy.staged, basis, columns)? {
            self.transcript.write_point(commitment)?;
        }
        Ok(())
    }
}

/// Whether instances are what the key takes.
pub(crate) fn check_instances(key: &Key, circuits: usize, instances: &[&[&[Fr]]]) -> Result<()> {
    let shape = &key.shape;
    let (expected, usable) = (shape.system.num_instance_columns(), shape.usable);
    if circuits == 0 && instances.is_empty() {
        return Err(Error::NoCircuit);
    }
    if circuits != instances.len() {
        return Err(Error::InstanceCount { circuits, instances: instances.len() });
    }
    for (circuit, instances) in instances.iter().enumerate() {
        if instances.len() != expected {
            return Err(Error::InstanceColumns { circuit, columns: instances.len(), expected });
        }
        if let Some((column, values)) =
            instances.iter().map(|values| values.len()).enumerate().find(|&(_, values)| values > usable)
        {
            return Err(Error::InstanceTooLong { circuit, column, values, usable });
        }
    }
    let phases = usize::from(shape.phases());
    if circuits > 1 && phases > 1 {
        return Err(Error::SeveralPhases { circuits, phases });
    }
    Ok(())
}
