//! One random circuit: its proofs, by this prover, are accepted by halo2-axiom's verifier where its `MockProver` accepts the
//! witness, and never where it does not.

use std::sync::Arc;

use elastic_plonk::{Error, Prover};
use halo2_axiom::{
    dev::MockProver,
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{keygen_pk, keygen_vk_custom},
};
use rand_core::RngCore;

use super::{
    Random, Spec,
    spec::{ROWS, below},
    witness::Witness,
};
use crate::support::{Gwc, Setup, Shplonk, params, rng};

/// Panics with the seed where something is not as it should be.
pub(crate) fn check(seed: u64) {
    let spec = Arc::new(Spec::random(seed));
    let rng = &mut rng(!seed);
    let setup = set_up(&spec);
    let mut circuits: Vec<Random> = (0..spec.circuits)
        .map(|_| Random { spec: Arc::clone(&spec), witness: Some(Witness::random(&spec, rng.next_u64())) })
        .collect();
    let instances = instances_of(&circuits);
    assert!(mock_accepts(&circuits, &instances), "seed {seed}: the mock prover rejects");
    let by_gwc = below(rng, 4) == 0;
    let accepted = is_accepted(&setup, by_gwc, &circuits, &instances);
    assert!(matches!(accepted, Ok(true)), "seed {seed}: {accepted:?}");

    // One cell, or one instance, is changed. What nothing depends on is accepted nevertheless.
    let at = below(rng, circuits.len());
    let mut changed = instances.clone();
    let instance = below(rng, spec.instances.len().max(1));
    let is_instance = below(rng, 4) == 0 && spec.instances.get(instance).is_some_and(|&n| n > 0);
    if is_instance {
        let row = below(rng, spec.instances[instance]);
        changed[at][instance][row] += Fr::ONE;
    } else if let Some(witness) = &mut circuits[at].witness {
        witness.wrong = Some((below(rng, spec.advice.len()), below(rng, ROWS)));
    }
    let expected = mock_accepts(&circuits, &changed);
    match is_accepted(&setup, by_gwc, &circuits, &changed) {
        Ok(accepted) => assert_eq!(accepted, expected, "seed {seed}: of a changed witness"),
        Err(Error::NotInTable { .. }) => assert!(!expected, "seed {seed}: a row is in its table"),
        Err(other) => panic!("seed {seed}: {other}"),
    }
}

fn set_up(spec: &Arc<Spec>) -> Setup {
    let (params, shape) = (params(spec.k), Random { spec: Arc::clone(spec), witness: None });
    let vk = keygen_vk_custom(&params, &shape, spec.compressed).expect("a key");
    let key = keygen_pk(&params, vk, &shape).expect("a key");
    Setup { prover: Prover::new(&params, &key).expect("a prover"), params, key }
}

fn instances_of(circuits: &[Random]) -> Vec<Vec<Vec<Fr>>> {
    circuits
        .iter()
        .map(|circuit| circuit.witness.as_ref().map_or_else(Vec::new, |witness| witness.instances.clone()))
        .collect()
}

fn mock_accepts(circuits: &[Random], instances: &[Vec<Vec<Fr>>]) -> bool {
    circuits.iter().zip(instances).all(|(circuit, instances)| {
        let mock = MockProver::run(circuit.spec.k, circuit, instances.clone()).expect("a mock proof");
        mock.verify().is_ok()
    })
}

fn is_accepted(
    setup: &Setup,
    by_gwc: bool,
    circuits: &[Random],
    instances: &[Vec<Vec<Fr>>],
) -> Result<bool, Error> {
    if by_gwc {
        let proof = setup.prove::<Gwc, _>(1, circuits, instances)?;
        return Ok(setup.accepts_gwc(&proof, instances));
    }
    let proof = setup.prove::<Shplonk, _>(1, circuits, instances)?;
    Ok(setup.accepts(&proof, instances))
}
