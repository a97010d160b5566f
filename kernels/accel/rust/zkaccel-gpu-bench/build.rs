//! Compiles what is in `cuda/` with nvcc and lets the program link without a driver: what the driver's library would
//! give is bound when the program starts, on a machine that has one.
//!
//! `NVCC` names CUDA's compiler and `CUDA_LIB_DIR` its libraries; `CUDA_ARCH` the GPUs, as halo2-axiom-gpu reads it, such
//! as `90`.

use std::{
    env,
    error::Error,
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
    let out = PathBuf::from(of_environment("OUT_DIR")?);
    println!("cargo::rerun-if-changed=cuda");
    compile("sppark_msm", &[of_environment("DEP_SPPARK_ROOT")?, of_environment("DEP_BLST_C_SRC")?], "c++17")?;
    compile("sppark_ntt", &[of_environment("DEP_SPPARK_ROOT")?, of_environment("DEP_BLST_C_SRC")?], "c++17")?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
    println!("cargo::rerun-if-changed={}", own.join("gpu/field").display());
    compile("rates", &[own.display().to_string()], "c++20")?;
    cuda_stubs::write(&out)?;
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-search=native={}", of_environment("CUDA_LIB_DIR")?);
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", of_environment("DEP_ZKACCEL_LIB_DIR")?);
    Ok(())
}

/// A library of the one file of that name.
fn compile(name: &str, includes: &[String], standard: &str) -> Result<(), Box<dyn Error>> {
    let mut nvcc = cc::Build::new();
    nvcc.cuda(true).flag(format!("-std={standard}")).includes(includes);
    for arch in of_environment("CUDA_ARCH")?.split(',') {
        nvcc.flag("-gencode").flag(format!("arch=compute_{arch},code=sm_{arch}"));
    }
    nvcc.define("FEATURE_BN254", None).define("TAKE_RESPONSIBILITY_FOR_ERROR_MESSAGE", None);
    nvcc.file(format!("cuda/{name}.cu")).try_compile(&format!("zkb_{name}"))?;
    Ok(())
}

fn of_environment(name: &str) -> Result<String, String> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name)
        .map_err(|_| format!("{name} is not set; `npm run bench -- accel-gpu` builds this with all it needs"))
}
