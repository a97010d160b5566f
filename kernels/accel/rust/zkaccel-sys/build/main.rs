//! Finds libzkaccel, or builds it.
//!
//! `ZKA_LIB_DIR` names a folder that has it already: in this repository target/accel, which deploy/setup.sh fills and
//! .cargo/config.toml names. Without it, or where it is empty, CMake builds the library from the sources above. Crates
//! that depend on this one find the folder in `DEP_ZKACCEL_LIB_DIR`.

mod prebuilt;

use std::{
    env,
    error::Error,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::exit,
};

fn main() {
    if let Err(why) = run() {
        println!("cargo::error={why}");
        exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={}", prebuilt::VARIABLE);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let folder = match env::var_os(prebuilt::VARIABLE).filter(|value| !value.is_empty()) {
        Some(folder) => prebuilt::library_folder(Path::new(&folder))?,
        None => build()?,
    };
    // Cargo lets the programs that it runs find libraries that lie below its own folder for this profile.
    let here = out.join("library");
    if here.is_symlink() {
        fs::remove_file(&here)?;
    }
    symlink(&folder, &here)?;
    println!("cargo::rustc-link-search=native={}", here.display());
    println!("cargo::rustc-link-lib=dylib=zkaccel");
    println!("cargo::rustc-env=ZKACCEL_LINKED_FOLDER={}", folder.display());
    println!("cargo::metadata=LIB_DIR={}", folder.display());
    Ok(())
}

/// The folder of the library that CMake built. It panics with CMake's own words where that fails.
fn build() -> Result<PathBuf, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    prebuilt::sources_are_there(&sources)?;
    for part in ["CMakeLists.txt", "include", "src"] {
        println!("cargo::rerun-if-changed={}", sources.join(part).display());
    }
    // For speed also where this crate is not.
    Ok(cmake::Config::new(sources).profile("Release").build_target("zkaccel").build().join("build"))
}
