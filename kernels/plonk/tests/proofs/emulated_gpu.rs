//! On a GPU the same calls make the same proofs: here on one that the host emulates, by the plug-in that the acceleration
//! library's own tests build (`bash deploy/setup.sh accel-tests`).

use std::{
    env,
    fs::{create_dir_all, remove_file},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

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
    },
};

/// Set where this program was started next to a plug-in: `emulated`, or `real` by `bench/plonk-gpu/on-gpu.sh`.
const PLUGIN: &str = "ELASTIC_PLONK_GPU";

#[test]
fn proofs_on_an_emulated_gpu_are_those_of_the_cpu() {
    let Ok(plugin) = env::var(PLUGIN) else {
        return run_next_to_the_plugin("emulated_gpu::proofs_on_an_emulated_gpu_are_those_of_the_cpu");
    };
    // All of them take minutes where threads are emulated.
    let proofs = if plugin == "real" { KNOWN.to_vec() } else { vec![KNOWN[1], KNOWN[5]] };
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

/// Runs one test of this program with a library whose plug-in for GPUs is the emulated one: it is looked up next to the library.
fn run_next_to_the_plugin(test: &str) {
    let built = PathBuf::from(env::var_os("ZKA_LIB_DIR").expect("cargo's configuration sets ZKA_LIB_DIR"));
    let plugin = built.join("tests/emulated/libzkaccel_cuda.so");
    assert!(plugin.is_file(), "{} is not there: bash deploy/setup.sh accel-tests", plugin.display());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emulated-gpu");
    create_dir_all(&folder).expect("a folder");
    for file in [built.join("libzkaccel.so"), plugin] {
        let link = folder.join(file.file_name().expect("a file"));
        if link.is_symlink() {
            remove_file(&link).expect("a link");
        }
        symlink(&file, &link).expect("a link");
    }
    let program = env::current_exe().expect("this program");
    let output = Command::new(program)
        .args(["--exact", test])
        .env("LD_LIBRARY_PATH", &folder)
        .env(PLUGIN, "emulated")
        .output()
        .expect("this program starts");
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{said}{failed}");
}
