//! Whether there is a library to link, or sources to build it from, and what to do where there is not.

use std::path::{Path, PathBuf};

/// The environment variable that names the folder of a library that is built already.
pub(crate) const VARIABLE: &str = "ZKA_LIB_DIR";

const LIBRARY: &str = "libzkaccel.so";

/// `folder` by its full path, if it has the library.
pub(crate) fn library_folder(folder: &Path) -> Result<PathBuf, String> {
    if folder.join(LIBRARY).is_file() {
        return folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()));
    }
    Err(format!(
        "{VARIABLE} is {}, where there is no {LIBRARY}. In the library's repository `bash deploy/setup.sh accel` \
         builds it there; with `{VARIABLE}=` (empty) this build does it itself, which takes minutes, CMake and a \
         compiler of C++20.",
        folder.display()
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
