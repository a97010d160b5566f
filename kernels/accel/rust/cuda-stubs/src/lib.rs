//! What stands for two libraries of CUDA while a program is linked on a machine without a driver: the driver's own is bound
//! when the program starts, on a machine that has one.

use std::{error::Error, fs, os::unix::fs::symlink, path::Path, process::Command};

/// What the allocator of halo2-axiom-gpu calls of the driver.
const DRIVER: &[&str] = &[
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuMemAddressFree",
    "cuMemAddressReserve",
    "cuMemCreate",
    "cuMemGetAllocationGranularity",
    "cuMemMap",
    "cuMemRelease",
    "cuMemSetAccess",
    "cuMemUnmap",
];

/// Writes into `folder` a `libcuda.so` by whose name the driver's own is loaded, and a `libcudart.so` that is the static
/// one: the peers link the shared one, and one runtime is enough.
///
/// # Errors
///
/// Where the folder cannot be written to, or there is no C compiler.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let source = folder.join("libcuda.c");
    let functions: String = DRIVER.iter().map(|name| format!("void {name}(void) {{}}\n")).collect();
    fs::write(&source, functions)?;
    let library = folder.join("libcuda.so.1");
    let compiler = cc::Build::new().get_compiler();
    let status = Command::new(compiler.path())
        .args(["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o"])
        .args([&library, &source])
        .status()?;
    if !status.success() {
        return Err(format!("{} ended with {status}", compiler.path().display()).into());
    }
    let name = folder.join("libcuda.so");
    if !name.is_symlink() {
        symlink("libcuda.so.1", name)?;
    }
    fs::write(folder.join("libcudart.so"), "INPUT(-lcudart_static -ldl -lrt -lpthread)\n")?;
    Ok(())
}
