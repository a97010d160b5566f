//! What a plan says that proofs take on a GPU, and proofs with less of its memory.

use std::sync::Arc;

use elastic_plonk::{Error, Prover, Srs};
use halo2_axiom::{halo2curves::bn256::Fr, plonk::keygen_pk2};
use zkaccel::{Backend, Buffer, Config, Context};

use crate::support::{
    Gwc, Setup, Shplonk,
    mixed::{Mixed, Shape},
    params,
    plugin::gpu_of,
};

#[test]
fn proofs_within_each_limit_of_a_device_are_those_of_the_cpu() {
    if gpu_of("device_memory::proofs_within_each_limit_of_a_device_are_those_of_the_cpu").is_none() {
        return;
    }
    let (k, shape) = (6, Shape::ALL);
    let circuits = [Mixed::new(shape, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let expected = Setup::new(k, &Mixed::shape(shape));
    let proof = expected.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
    let gpu = Config { backend: Backend::Cuda, ..Config::default() };
    let on = |config: &Config| -> Result<Setup, Error> {
        let srs = Arc::new(Srs::in_context(&Context::new(config)?, &params(k))?);
        let prover = Prover::with_srs(&srs, &expected.key)?;
        Ok(Setup {
            params: params(k),
            key: keygen_pk2(&params(k), &Mixed::shape(shape), false).expect("a key"),
            prover,
        })
    };
    let plan = Prover::plan(&gpu, &expected.key, 1).expect("a plan");
    assert!(!plan.limited && plan.least.device <= plan.peak.device, "{plan:?}");
    let needed = match Prover::plan(&Config { device_bytes_max: 1, ..gpu }, &expected.key, 1) {
        Err(Error::TooLittleMemory { of: "device", needed, limit: 1 }) => needed,
        other => panic!("{other:?}"),
    };
    let below = on(&Config { device_bytes_max: needed - 1, ..gpu }).map(drop);
    assert!(matches!(below, Err(Error::TooLittleMemory { of: "device", .. })), "{below:?}");
    for device_bytes_max in [0, needed] {
        let config = Config { device_bytes_max, ..gpu };
        let setup = on(&config).expect("a prover");
        assert_eq!(setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof"), proof);
        let made = setup.prove::<Gwc, _>(1, &circuits, &instances).expect("a proof");
        assert!(setup.accepts_gwc(&made, &instances));
        let (peak, plan) = (
            setup.prover.context().memory().expect("counts").peak,
            Prover::plan(&config, &expected.key, 1).expect("a plan"),
        );
        assert!(peak.device <= plan.peak.device && peak.host <= plan.peak.host, "{peak:?}, {plan:?}");
        let most = peak.device + peak.device / 8 + (64 << 10);
        assert!(plan.peak.device <= most, "{peak:?}, {plan:?}");
        assert_eq!(plan.limited, device_bytes_max != 0);
    }
}

#[test]
fn running_out_of_a_devices_memory_is_an_error_and_the_next_proof_is_made() {
    if gpu_of("device_memory::running_out_of_a_devices_memory_is_an_error_and_the_next_proof_is_made")
        .is_none()
    {
        return;
    }
    let (k, shape) = (5, Shape { copies: true, ..Shape::NONE });
    let key = keygen_pk2(&params(k), &Mixed::shape(shape), false).expect("a key");
    let config = Config { backend: Backend::Cuda, ..Config::default() };
    let limit = Prover::plan(&config, &key, 1).expect("a plan").peak.device;
    let context = Context::new(&Config { device_bytes_max: limit, ..config }).expect("a GPU");
    let srs = Arc::new(Srs::in_context(&context, &params(k)).expect("tables"));
    let setup = Setup { params: params(k), prover: Prover::with_srs(&srs, &key).expect("a prover"), key };
    let circuits = [Mixed::new(shape, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let held = context.memory().expect("counts").now;
    let mut failed = 0;
    for quarter in 0..4 {
        // A GPU's sums take what there is, so that a little is enough.
        let left = (limit - held.device) * quarter / 16;
        let ballast =
            Buffer::<Fr>::new(&context, ((limit - held.device - left) / 32) as usize).expect("ballast");
        match setup.prove::<Shplonk, _>(1, &circuits, &instances) {
            Ok(_) => {}
            Err(Error::OutOfMemory(_)) => failed += 1,
            Err(other) => panic!("{other}"),
        }
        drop(ballast);
        assert_eq!(context.memory().expect("counts").now, held);
    }
    assert!((1..4).contains(&failed), "{failed}");
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
    assert!(setup.accepts(&proof, &instances));
}
