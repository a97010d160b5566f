//! Compressed proofs of short computations, and what their verifier refuses.

mod circuits;
mod complete;
mod keys;
mod refused;

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use circuits::{LooksUp, Quintic};
use halo2curves::bn256::{self, Fr, G1Affine};
use halo2curves::ff::Field as _;
use halo2curves::grumpkin;

use super::*;
use crate::commitment::{CommitmentKey, testing};
use crate::frontend::{StepCircuit, trivial};
use crate::ivc::{CircuitPublicParamsInput, Error, IVC, Outputs, PublicParams, Refusal};
use crate::poseidon::{PoseidonRo, Spec};
use crate::snark::testing::rng;

type Ro = PoseidonRo<5, 4>;
type Trivial = trivial::Circuit<1, grumpkin::Fr>;
type Params<SC> = PublicParams<'static, 2, 1, 5, G1Affine, grumpkin::G1Affine, SC, Trivial, Ro, Ro>;
type Ivc = IVC<2, 1, G1Affine, grumpkin::G1Affine>;
type Key = VerifierKey<2, 1, Ro>;
type Compressed = CompressedProof<2, 1>;

static SECONDARY: LazyLock<Trivial> = LazyLock::new(Trivial::default);
static SECONDARY_KEY: LazyLock<CommitmentKey<grumpkin::G1Affine>> =
    LazyLock::new(|| testing::on_grumpkin(11));
/// Powers of tau for 2^15 values.
static POWERS: LazyLock<CommitmentKey<G1Affine>> =
    LazyLock::new(|| CommitmentKey::insecure_setup(15, rng(1)).unwrap());

/// A circuit's parameters and keys.
struct Setup<SC: StepCircuit<2, Fr> + 'static> {
    circuit: &'static SC,
    pp: Params<SC>,
    prover: ProverKey<'static>,
    verifier: Key,
}

static QUINTIC: Quintic = Quintic { iterations: 10 };
static SETUP: LazyLock<Setup<Quintic>> = LazyLock::new(|| Setup::new(&QUINTIC, &POWERS));

fn params<SC: StepCircuit<2, Fr>>(
    circuit: &'static SC,
    powers: &'static CommitmentKey<G1Affine>,
) -> Params<SC> {
    let spec = || Spec::reference().unwrap();
    let secondary_spec = Spec::reference().unwrap();
    Params::new(
        CircuitPublicParamsInput::new(17, powers, spec(), circuit),
        CircuitPublicParamsInput::new(17, &SECONDARY_KEY, secondary_spec, &*SECONDARY),
        NonZeroUsize::new(68).unwrap(),
        NonZeroUsize::new(4).unwrap(),
    )
    .unwrap()
}

const START: [u64; 2] = [3, 4];

fn z_0() -> [Fr; 2] {
    START.map(Fr::from)
}

fn z2_0() -> [grumpkin::Fr; 1] {
    [grumpkin::Fr::from(5)]
}

impl<SC: StepCircuit<2, Fr>> Setup<SC> {
    fn new(circuit: &'static SC, powers: &'static CommitmentKey<G1Affine>) -> Self {
        let pp = params(circuit, powers);
        let (prover, verifier) = pp.compression_keys().unwrap();
        Self { circuit, pp, prover, verifier }
    }

    fn start(&self) -> Ivc {
        self.start_from(z_0())
    }

    fn start_from(&self, z_0: [Fr; 2]) -> Ivc {
        IVC::new(&self.pp, self.circuit, z_0, &*SECONDARY, z2_0(), true).unwrap()
    }

    fn step(&self, ivc: &mut Ivc) {
        ivc.fold_step(&self.pp, self.circuit, &*SECONDARY).unwrap();
    }

    fn after(&self, steps: u64) -> Ivc {
        let mut ivc = self.start();
        (1..steps).for_each(|_| self.step(&mut ivc));
        ivc
    }

    fn compress(&self, ivc: &Ivc) -> Compressed {
        ivc.compress(&self.pp, &self.prover).unwrap()
    }

    fn verify(
        &self,
        proof: &Compressed,
        steps: u64,
    ) -> Result<Outputs<2, 1, G1Affine, grumpkin::G1Affine>, Error> {
        proof.verify(&self.verifier, steps, &z_0(), &z2_0())
    }
}

/// A computation of three steps, compressed.
static THREE: LazyLock<(Ivc, Compressed)> = LazyLock::new(|| {
    let ivc = SETUP.after(3);
    let proof = SETUP.compress(&ivc);
    (ivc, proof)
});
