//! Files that are written atomically, even if the machine stops.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What could not be done with which file.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) action: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

/// Writes `temporary` with `content`, and puts it in the place of `path`, which is in the same folder. Only one at a time
/// may write to a path.
pub(crate) fn replace<T>(
    path: &Path,
    temporary: &Path,
    content: impl FnOnce(&mut File) -> io::Result<T>,
) -> Result<T, Failure> {
    let written = write(temporary, content).map_err(failure("write", temporary)).and_then(|written| {
        fs::rename(temporary, path).map_err(failure("put in place", path))?;
        Ok(written)
    });
    if written.is_err() {
        // What was wrong is reported; that a part of the file may remain is no other fault.
        let _ = fs::remove_file(temporary);
    }
    // The folder of a bare file name is the empty path, which cannot be opened.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = written?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failure("sync", folder))?;
    Ok(written)
}

fn write<T>(path: &Path, content: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    // What a stopped machine left is in the way. It is not opened: a link there could lead to any file.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::create_new(path)?;
    let written = content(&mut file)?;
    file.sync_all()?;
    Ok(written)
}

fn failure(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Failure {
    move |source| Failure { action, path: path.to_path_buf(), source }
}
