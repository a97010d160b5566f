use halo2curves::bn256::{Fr as F, G1Affine};
use halo2curves::ff::Field as _;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};

use super::{Scalars, fold};
use crate::circuit::Circuit;
use crate::poseidon::{
    CircuitOracleFor, InCircuit, PoseidonRo, RandomOracle as _, RandomOracleFor, Tag, Transcript as _,
};
use crate::protogalaxy::{self, Accumulator, FoldShape, Proof, challenge};
use crate::relation::{Instance, Relation};

type Ro = PoseidonRo<5, 4>;

const SHAPE: FoldShape =
    FoldShape { incoming: 1, betas: 6, degree: 5, commitments: 0, publics: 1, challenges: 2 };

struct Inputs {
    accumulator: Accumulator<G1Affine>,
    incoming: Instance<G1Affine>,
    proof: Proof<F>,
}

fn inputs(seed: u64) -> Inputs {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut random = |count| (0..count).map(|_| F::random(&mut rng)).collect::<Vec<_>>();
    let mut instance = || Instance {
        commitments: vec![],
        publics: random(SHAPE.publics),
        challenges: random(SHAPE.challenges),
    };
    let (old, incoming) = (instance(), instance());
    let accumulator = Accumulator { instance: old, betas: random(SHAPE.betas), error: random(1)[0] };
    let proof = Proof { perturbator: random(SHAPE.betas), quotient: random(SHAPE.quotient_len()) };
    Inputs { accumulator, incoming, proof }
}

/// A fold in a circuit; what it gives is public, `γ` last.
fn in_circuit(circuit: &mut Circuit<F>, inputs: &Inputs) {
    let constants = <Ro as RandomOracleFor<F>>::reference().unwrap();
    let oracle = <Ro as CircuitOracleFor<F>>::start_in_circuit(&constants, Tag::new("test"), 5);
    let mut assign = |values: &[F]| values.iter().map(|value| circuit.witness(*value)).collect::<Vec<_>>();
    let old = &inputs.accumulator;
    let accumulator = Scalars {
        publics: assign(&old.instance.publics),
        challenges: assign(&old.instance.challenges),
        betas: assign(&old.betas),
        error: assign(&[old.error])[0].clone(),
    };
    let (publics, challenges) = (assign(&inputs.incoming.publics), assign(&inputs.incoming.challenges));
    let mut transcript = InCircuit { circuit, oracle };
    transcript.absorb_all(&publics);
    let (folded, gamma) = fold(&mut transcript, &accumulator, (&publics, &challenges), &inputs.proof);
    let outputs = [folded.publics, folded.challenges, folded.betas, vec![folded.error, gamma.value]].concat();
    for output in outputs {
        let public = circuit.public(output.value());
        circuit.enforce_equal(&public, &output);
    }
}

fn off_circuit(inputs: &Inputs) -> Vec<F> {
    let transcript = || {
        let constants = <Ro as RandomOracleFor<F>>::reference().unwrap();
        let mut oracle = <Ro as RandomOracleFor<F>>::start(&constants, Tag::new("test"));
        oracle.absorb_all(&inputs.incoming.publics);
        oracle
    };
    let folded = protogalaxy::verify(
        SHAPE,
        &inputs.accumulator,
        &[&inputs.incoming],
        &inputs.proof,
        &mut transcript(),
    );
    let folded = folded.unwrap();
    let gamma = challenge(SHAPE, &inputs.accumulator, &inputs.proof, &mut transcript()).gamma;
    [folded.instance.publics, folded.instance.challenges, folded.betas, vec![folded.error, gamma]].concat()
}

fn shape(inputs: &Inputs) -> (Relation<F>, Vec<F>) {
    let (mut recorded, mut assigned) = (Circuit::recorded(), Circuit::assigned());
    in_circuit(&mut recorded, inputs);
    in_circuit(&mut assigned, inputs);
    let shape = recorded.into_shape().unwrap();
    (Relation::new(shape.layout, shape.groups), assigned.vector())
}

#[test]
fn a_circuit_folds_as_the_verifier_does() {
    for seed in 0..6 {
        let inputs = inputs(seed);
        let (relation, vector) = shape(&inputs);
        assert_eq!(relation.violations(&vector, 1), vec![]);
        assert_eq!(vector[relation.layout().public()], off_circuit(&inputs));
    }
}

#[test]
fn zeros_fold_too() {
    let mut zeros = inputs(0);
    let parts = [&mut zeros.accumulator.betas, &mut zeros.proof.perturbator, &mut zeros.proof.quotient];
    parts.into_iter().for_each(|part| part.fill(F::ZERO));
    zeros.accumulator.error = F::ZERO;
    let (relation, vector) = shape(&zeros);
    assert_eq!(relation.violations(&vector, 1), vec![]);
    assert_eq!(vector[relation.layout().public()], off_circuit(&zeros));
}

#[test]
fn every_variable_of_a_fold_is_bound() {
    let (relation, vector) = shape(&inputs(7));
    for entry in 1..vector.len() {
        let mut changed = vector.clone();
        changed[entry] += F::from(5);
        assert_ne!(relation.violations(&changed, 1), vec![], "entry {entry} is free");
    }
}

#[test]
fn the_shape_does_not_depend_on_values() {
    assert_eq!(shape(&inputs(1)).0.digest(), shape(&inputs(2)).0.digest());
}
