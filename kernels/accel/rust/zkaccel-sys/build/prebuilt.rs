//! Whether there is a library to link, or sources to build it from, and what to do where there is not.

use std::path::{Path, PathBuf};

/// The environment variable that names the folder of a library that is built already.
pub(crate) const VARIABLE: &str = "ZKA_LIB_DIR";

const LIBRARY: &str = "libzkaccel.so";

/// What `ninja zkaccel_static` makes, for a program that is to have the library in it.
const ARCHIVE: &str = "libzkaccel.a";

/// `folder` by its full path, if it has the library, or the archive.
pub(crate) fn library_folder(folder: &Path, archive: bool) -> Result<PathBuf, String> {
    let wanted = if archive { ARCHIVE } else { LIBRARY };
    // One that is relative is so to this crate's folder, where cargo runs build scripts.
    let tried = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    if tried.join(wanted).is_file() {
        return tried.canonicalize().map_err(|error| format!("{}: {error}", tried.display()));
    }
    let relative = if folder.is_absolute() { "" } else { " Name the folder by an absolute path." };
    Err(format!(
        "{VARIABLE} is {}, and there is no {wanted} in {}.{relative} In the library's repository `bash deploy/setup.sh \
         accel` builds it there; with `{VARIABLE}=` (empty) this build does it itself, which takes minutes, CMake and a \
         compiler of C++20.",
        folder.display(),
        tried.display()
    ))
}

/// Whether the library can be built from `folder`.
pub(crate) fn sources_are_there(folder: &Path) -> Result<(), String> {
    if folder.join("CMakeLists.txt").is_file() {
        return Ok(());
    }
    Err(format!(
        "there are no sources of the library in {}: set {VARIABLE} to a folder that has {LIBRARY}",
        folder.display()
    ))
}
