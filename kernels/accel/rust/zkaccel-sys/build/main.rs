//! Finds libzkaccel, or builds it.
//!
//! Where `ZKA_LIB_DIR` names a folder that has libzkaccel.so, that is linked: in this repository target/accel, which
//! deploy/setup.sh fills and .cargo/config.toml names. Without it, or where it is empty, CMake builds the library from
//! the sources above, and it becomes part of the program: nothing has to be found when that starts, on this machine or
//! on another. With the feature `static` a folder's libzkaccel.a becomes so too. Crates that depend on this one find the folder in `DEP_ZKACCEL_LIB_DIR`.

mod prebuilt;
mod tools;

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
    let folder = match env::var_os(prebuilt::VARIABLE).filter(|value| !value.is_empty()) {
        Some(folder) => link_prebuilt(Path::new(&folder))?,
        None => build_and_link()?,
    };
    println!("cargo::rustc-env=ZKACCEL_LINKED_FOLDER={}", folder.display());
    println!("cargo::metadata=LIB_DIR={}", folder.display());
    Ok(())
}

/// Links the shared library that is there.
fn link_prebuilt(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let archive = env::var_os("CARGO_FEATURE_STATIC").is_some();
    let folder = prebuilt::library_folder(folder, archive)?;
    if archive {
        println!("cargo::rerun-if-changed={}", folder.join("libzkaccel.a").display());
        link_archive(&folder);
        return Ok(folder);
    }
    // Cargo lets the programs that it runs find libraries below its own folder for this profile.
    let here = PathBuf::from(env::var("OUT_DIR")?).join("library");
    if here.is_symlink() {
        fs::remove_file(&here)?;
    }
    symlink(&folder, &here)?;
    println!("cargo::rustc-link-search=native={}", here.display());
    println!("cargo::rustc-link-lib=dylib=zkaccel");
    Ok(folder)
}

/// Links the archive that CMake makes, and C++'s own library, which machines have. It panics with CMake's own words
/// where that fails.
fn build_and_link() -> Result<PathBuf, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    prebuilt::sources_are_there(&sources)?;
    tools::are_there(&tools::needed())?;
    for part in ["CMakeLists.txt", "include", "src"] {
        println!("cargo::rerun-if-changed={}", sources.join(part).display());
    }
    // For speed also where this crate is not.
    let built =
        cmake::Config::new(sources).profile("Release").build_target("zkaccel_static").build().join("build");
    link_archive(&built);
    Ok(built)
}

/// Links the archive of a folder, and C++'s own library.
fn link_archive(folder: &Path) {
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static=zkaccel");
    println!("cargo::rustc-link-lib=dylib=stdc++");
}
