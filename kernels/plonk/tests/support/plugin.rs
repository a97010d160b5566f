//! Tests on a GPU that the host emulates, by the plug-in that the acceleration library's own tests build
//! (`bash deploy/setup.sh accel-tests`).

use std::{
    env,
    fs::{create_dir_all, remove_file},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// Set where this program was started next to the emulated plug-in.
const EMULATED: &str = "ELASTIC_PLONK_EMULATED_GPU_OF";

/// Whether the caller, a test of that name, runs next to the plug-in. If not, this runs it there: the plug-in is looked up next to the
/// library.
pub(crate) fn is_next_to_plugin(test: &str) -> bool {
    if env::var(EMULATED).is_ok_and(|of| of == test) {
        return true;
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
        .env(EMULATED, test)
        .output()
        .expect("this program starts");
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{said}{failed}");
    false
}
