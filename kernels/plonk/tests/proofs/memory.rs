//! What a plan says that proofs take, and proofs with less memory.

use std::sync::Arc;

use elastic_plonk::{Error, Prover, Srs};
use halo2_axiom::{
    halo2curves::bn256::{Fr, G1Affine},
    plonk::{ProvingKey, keygen_pk2},
};
use zkaccel::{Backend, Buffer, Config, Context};

use crate::support::{
    Gwc, Setup, Shplonk,
    mixed::{Mixed, Shape},
    params,
};

const CPU: Config = Config {
    backend: Backend::Cpu,
    device: 0,
    threads: 2,
    isa: zkaccel::Isa::Auto,
    host_bytes_max: 0,
    device_bytes_max: 0,
};

/// What small operations may take less than is planned for them.
const SLACK: u64 = 64 << 10;

fn key(k: u32, shape: Shape) -> ProvingKey<G1Affine> {
    keygen_pk2(&params(k), &Mixed::shape(shape), false).expect("a key")
}

fn limited(config: &Config, k: u32, key: &ProvingKey<G1Affine>) -> Result<Setup, Error> {
    let params = params(k);
    let srs = Arc::new(Srs::in_context(&Context::new(config)?, &params)?);
    Ok(Setup { prover: Prover::with_srs(&srs, key)?, params, key: key.clone() })
}

#[test]
fn a_plan_is_what_a_prover_and_its_proofs_take_at_most() {
    let shapes = [
        (5, Shape::NONE, 1),
        (6, Shape::ALL, 1),
        (6, Shape { challenge: false, ..Shape::ALL }, 3),
        (7, Shape { degree: 9, steps: 60, ..Shape::ALL }, 1),
        (12, Shape { steps: 4000, ..Shape::ALL }, 1),
        (13, Shape { degree: 3, steps: 8000, ..Shape::NONE }, 1),
    ];
    for (k, shape, count) in shapes {
        let key = key(k, shape);
        let plan = Prover::plan(&CPU, &key, count).expect("a plan");
        assert!(!plan.limited && plan.least.host == plan.peak.host && plan.peak.device == 0, "{plan:?}");
        let setup = limited(&CPU, k, &key).expect("a prover");
        let circuits: Vec<_> = (1..=count as u64).map(|start| Mixed::new(shape, Fr::from(start))).collect();
        let instances: Vec<_> = circuits.iter().map(Mixed::instances).collect();
        let held = setup.prover.context().memory().expect("counts").now;
        assert_eq!(held.host, plan.resident.host, "{shape:?}");
        let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
        assert!(setup.accepts(&proof, &instances));
        setup.prove::<Gwc, _>(1, &circuits, &instances).expect("a proof");
        let used = setup.prover.context().memory().expect("counts");
        assert_eq!(used.now, held, "{shape:?}");
        let (measured, planned) = (used.peak.host, plan.peak.host);
        assert!(measured <= planned, "{shape:?}: {measured} of {planned}");
        assert!(planned <= measured + measured / 8 + SLACK, "{shape:?}: {measured} of {planned}");
    }
}

#[test]
fn proofs_within_each_limit_are_the_same() {
    let (k, shape) = (9, Shape { steps: 400, ..Shape::ALL });
    let key = key(k, shape);
    let full = Prover::plan(&CPU, &key, 1).expect("a plan").peak.host;
    let too_little = |host_bytes_max| match Prover::plan(&Config { host_bytes_max, ..CPU }, &key, 1) {
        Err(Error::TooLittleMemory { of: "host", needed, limit }) if limit == host_bytes_max => needed,
        other => panic!("{other:?}"),
    };
    let needed = too_little(1);
    assert!(needed < full * 2 / 3, "{needed} of {full}");
    assert_eq!(too_little(needed - 1), needed);

    let circuits = [Mixed::new(shape, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let prove = |setup: &Setup| {
        let shplonk = setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
        (shplonk, setup.prove::<Gwc, _>(1, &circuits, &instances).expect("a proof"))
    };
    let proofs = prove(&limited(&CPU, k, &key).expect("a prover"));
    let mut peaks = Vec::new();
    for step in 0..=12 {
        let config = Config { host_bytes_max: needed + (full - needed) * step / 12, ..CPU };
        let plan = Prover::plan(&config, &key, 1).expect("a plan");
        assert_eq!(plan.limited, step < 12);
        let setup = limited(&config, k, &key).expect("a prover");
        assert_eq!(prove(&setup), proofs, "{config:?}");
        let measured = setup.prover.context().memory().expect("counts").peak.host;
        assert!(
            measured <= plan.peak.host && plan.peak.host <= config.host_bytes_max,
            "{config:?}: {plan:?}"
        );
        assert!(plan.peak.host <= measured + measured / 8 + SLACK, "{config:?}: {measured} of {plan:?}");
        peaks.push(measured);
    }
    peaks.dedup();
    assert!(peaks.len() >= 4, "{peaks:?}");
}

#[test]
fn limits_that_are_too_low_are_an_error_with_what_is_needed() {
    let (k, shape) = (6, Shape { challenge: false, ..Shape::ALL });
    let key = key(k, shape);
    let needed = match Prover::plan(&Config { host_bytes_max: 1, ..CPU }, &key, 1) {
        Err(Error::TooLittleMemory { needed, .. }) => needed,
        other => panic!("{other:?}"),
    };
    // Set-up parameters alone do not fit.
    let result = limited(&Config { host_bytes_max: 64, ..CPU }, k, &key);
    assert!(matches!(result, Err(Error::OutOfMemory(_))), "{:?}", result.err());
    let result = limited(&Config { host_bytes_max: needed - 1, ..CPU }, k, &key);
    let found = match result {
        Err(Error::TooLittleMemory { of: "host", needed, .. }) => needed,
        other => panic!("{:?}", other.err()),
    };
    assert_eq!(found, needed);
    let setup = limited(&Config { host_bytes_max: needed, ..CPU }, k, &key).expect("a prover");
    let circuits: Vec<_> = (1..=8).map(|start| Mixed::new(shape, Fr::from(start))).collect();
    let instances: Vec<_> = circuits.iter().map(Mixed::instances).collect();
    assert!(setup.prove::<Shplonk, _>(1, &circuits[..1], &instances[..1]).is_ok());
    // Eight take more, which is known before the first is synthesized.
    let result = setup.prove::<Shplonk, _>(1, &circuits, &instances);
    assert!(matches!(result, Err(Error::TooLittleMemory { of: "host", .. })), "{result:?}");
    assert!(setup.prove::<Shplonk, _>(1, &circuits[..1], &instances[..1]).is_ok());
}

#[test]
fn running_out_of_memory_anywhere_is_an_error_and_the_next_proof_is_made() {
    let (k, shape) = (6, Shape::ALL);
    let key = key(k, shape);
    let limit = Prover::plan(&CPU, &key, 1).expect("a plan").peak.host;
    let setup = limited(&Config { host_bytes_max: limit, ..CPU }, k, &key).expect("a prover");
    let context = setup.prover.context();
    let circuits = [Mixed::new(shape, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
    let held = context.memory().expect("counts").now;
    let column = 32 << k;
    let mut failed = 0;
    for left in (0..limit - held.host).step_by(column) {
        // What others took since the prover was made.
        let ballast =
            Buffer::<Fr>::new(context, ((limit - held.host - left) / 32) as usize).expect("ballast");
        match setup.prove::<Shplonk, _>(1, &circuits, &instances) {
            Ok(made) => assert_eq!(made, proof),
            Err(Error::OutOfMemory(_)) => failed += 1,
            Err(other) => panic!("{other}"),
        }
        drop(ballast);
        assert_eq!(context.memory().expect("counts").now, held);
    }
    assert!(failed > 20, "{failed}");
    assert_eq!(setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof"), proof);
}
