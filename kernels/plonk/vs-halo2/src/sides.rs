//! Both provers, in turns.

use std::{
    collections::BTreeMap,
    error::Error,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use elastic_plonk::Prover;
use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    plonk::{ProvingKey, create_proof, keygen_pk2, verify_proof},
    poly::kzg::{
        commitment::{KZGCommitmentScheme, ParamsKZG},
        multiopen::{ProverSHPLONK, VerifierSHPLONK},
        strategy::SingleStrategy,
    },
    transcript::{Blake2bRead, Challenge255, TranscriptReadBuffer},
};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde::Serialize;

use crate::{hashes::Hashes, stages::Timed, workload::Workload};

type Scheme = KZGCommitmentScheme<Bn256>;
type Times = Vec<(&'static str, Duration)>;

/// Whose prover it is.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Side {
    Ours,
    Peer,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::Ours => "elastic-plonk",
            Self::Peer => "halo2-axiom",
        }
    }
}

struct Setup {
    params: ParamsKZG<Bn256>,
    key: ProvingKey<G1Affine>,
    prover: Prover,
    circuit: Hashes,
    public: Fr,
}

/// Prints the times of both for one workload.
pub(crate) fn compare(workload: Workload, rounds: usize, sides: &[Side]) -> Result<(), Box<dyn Error>> {
    eprintln!("{}: parameters and key", workload.name());
    let circuit = workload.circuit();
    let params = ParamsKZG::setup(workload.k(), ChaCha20Rng::seed_from_u64(1));
    let key = keygen_pk2(&params, &circuit, false)?;
    let since = Instant::now();
    let prover = Prover::new(&params, &key)?;
    eprintln!("{}: prepared in {:.0?}; {}", workload.name(), since.elapsed(), prover.context().describe()?);
    let public = circuit.public();
    let setup = Setup { params, key, prover, circuit, public };

    // Once each that is not timed, and verified.
    for &side in sides {
        let (_, proof) = setup.prove(side, 0)?;
        setup.verify(&proof)?;
    }
    let mut times: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for round in 1..=rounds {
        eprintln!("{}: {round} of {rounds}", workload.name());
        for &side in sides {
            let (stages, _) = setup.prove(side, round as u64)?;
            for (stage, took) in stages {
                times.entry((side.name(), stage)).or_default().push(took.as_secs_f64() * 1e3);
            }
        }
    }
    for ((side, metric), samples) in times {
        Row::new(workload, side, metric, samples).print()?;
    }
    Ok(())
}

impl Setup {
    fn prove(&self, side: Side, seed: u64) -> Result<(Times, Vec<u8>), Box<dyn Error>> {
        match side {
            Side::Ours => self.ours(seed),
            Side::Peer => self.peers(seed),
        }
    }

    fn ours(&self, seed: u64) -> Result<(Times, Vec<u8>), Box<dyn Error>> {
        let mut transcript = Timed::start();
        self.prover.prove_with::<ProverSHPLONK<'_, Bn256>, _, _, _>(
            std::slice::from_ref(&self.circuit),
            &[&[&[self.public]]],
            ChaCha20Rng::seed_from_u64(seed),
            &mut transcript,
            &mut (),
        )?;
        Ok(transcript.end())
    }

    fn peers(&self, seed: u64) -> Result<(Times, Vec<u8>), Box<dyn Error>> {
        let mut transcript = Timed::start();
        create_proof::<Scheme, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
            &self.params,
            &self.key,
            std::slice::from_ref(&self.circuit),
            &[&[&[self.public]]],
            ChaCha20Rng::seed_from_u64(seed),
            &mut transcript,
        )?;
        Ok(transcript.end())
    }

    fn verify(&self, proof: &[u8]) -> Result<(), Box<dyn Error>> {
        let mut transcript = Blake2bRead::<_, G1Affine, Challenge255<_>>::init(proof);
        verify_proof::<Scheme, VerifierSHPLONK<'_, Bn256>, _, _, _>(
            &self.params,
            self.key.get_vk(),
            SingleStrategy::new(&self.params),
            &[&[&[self.public]]],
            &mut transcript,
        )?;
        Ok(())
    }
}

/// A line of the output.
#[derive(Serialize)]
struct Row<'a> {
    workload: String,
    name: &'static str,
    size: String,
    side: &'a str,
    metric: &'a str,
    unit: &'static str,
    median: f64,
    min: f64,
    samples: usize,
}

impl<'a> Row<'a> {
    fn new(workload: Workload, side: &'a str, metric: &'a str, mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let n = samples.len();
        Self {
            workload: workload.name(),
            name: workload.title(),
            size: workload.size(),
            side,
            metric,
            unit: "ms",
            median: f64::midpoint(samples[(n - 1) / 2], samples[n / 2]),
            min: samples[0],
            samples: n,
        }
    }

    fn print(&self) -> Result<(), serde_json::Error> {
        println!("{}", serde_json::to_string(self)?);
        Ok(())
    }
}
