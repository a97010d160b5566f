//! Tests on a GPU that the host emulates, by the plug-in that the acceleration library's own tests build
//! (`bash deploy/setup.sh accel-tests`), or on a real one where `bench/plonk-gpu/on-gpu.sh` runs them.

use std::{
    env,
    fs::{create_dir_all, remove_file},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// Set where this program was started next to a plug-in: the test that is to run next to the emulated one, or [`REAL`].
const PLUGIN: &str = "ELASTIC_PLONK_GPU";
const REAL: &str = "real";

/// A GPU that a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gpu {
    Emulated,
    Real,
}

/// The GPU that the caller, a test of that name, has. Where it has none, this runs it next to the emulated plug-in, and
/// returns nothing: the plug-in is looked up next to the library.
pub(crate) fn gpu_of(test: &str) -> Option<Gpu> {
    match env::var(PLUGIN) {
        Ok(of) if of == test => return Some(Gpu::Emulated),
        Ok(of) if of == REAL => return Some(Gpu::Real),
        _ => {}
    }
    let built = PathBuf::from(env::var_os("ZKA_LIB_DIR").expect("cargo's configuration sets ZKA_LIB_DIR"));
    let plugin = built.join("tests/emulated/libzkaccel_cuda.so");
    assert!(plugin.is_file(), "{} is not there: bash deploy/setup.sh accel-tests", plugin.display());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test.replace(':', "-"));
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
        .env(PLUGIN, test)
        .output()
        .expect("this program starts");
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{said}{failed}");
    None
}
