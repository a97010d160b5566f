//! On a GPU the same calls make the same proofs: here on one that the host emulates, by the plug-in that the acceleration
//! library's own tests build (`bash deploy/setup.sh accel-tests`).

use std::sync::Arc;

use elastic_plonk::{Error, Prover, Srs};
use halo2_axiom::plonk::keygen_pk2;
use zkaccel::{Backend, Config, Context};

use crate::{
    known_proofs::end,
    support::{
        Setup, Shplonk,
        known::KNOWN,
        mixed::{Cell, Mixed, Shape},
        params,
        plugin::{Gpu, gpu_of},
    },
};

#[test]
fn proofs_on_an_emulated_gpu_are_those_of_the_cpu() {
    let Some(gpu) = gpu_of("emulated_gpu::proofs_on_an_emulated_gpu_are_those_of_the_cpu") else { return };
    // All of them take minutes where threads are emulated.
    let proofs = if gpu == Gpu::Real { KNOWN.to_vec() } else { vec![KNOWN[1], KNOWN[5]] };
    for known in proofs {
        assert_eq!(end(&known, &on_gpu(known.k, &Mixed::shape(known.shape))), known.ends_with, "{known:?}");
    }
    // A row that is not in the table is known there too.
    let shape = Shape { challenge: false, instances: false, copies: false, ..Shape::ALL };
    let setup = on_gpu(6, &Mixed::shape(shape));
    let wrong = Mixed { wrong: Some(Cell::B(15)), ..Mixed::new(shape, 3.into()) };
    let result = setup.prove::<Shplonk, _>(1, &[wrong], &[Vec::new()]);
    assert!(matches!(result, Err(Error::NotInTable { circuit: 0, lookup: 0, row: Some(15) })), "{result:?}");
}

fn on_gpu(k: u32, shape: &Mixed) -> Setup {
    let context = Context::new(&Config { backend: Backend::Cuda, ..Config::default() }).expect("a GPU");
    let params = params(k);
    let key = keygen_pk2(&params, shape, false).expect("a key");
    let srs = Arc::new(Srs::in_context(&context, &params).expect("tables"));
    let prover = Prover::with_srs(&srs, &key).expect("a prover");
    Setup { params, key, prover }
}
