//! Lets the program link to what halo2-axiom-gpu calls of CUDA, on a machine without a driver.

use std::error::Error;

#[cfg(feature = "gpu")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
    cuda_stubs::write(&folder)?;
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rerun-if-env-changed=CUDA_LIB_DIR");
    println!("cargo::rustc-link-search=native={}", std::env::var("CUDA_LIB_DIR")?);
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn main() -> Result<(), Box<dyn Error>> {
    Ok(())
}
