//! What is in /data, and what may be done there, as one JSON object.

use std::{
    env, fs,
    fs::OpenOptions,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::json::string;

/// Where a deployment's data volume is mounted.
const FOLDER: &str = "/data";
/// Of a file's text; the file's length is reported next to it.
const TEXT_BYTES_MAX: usize = 200;

/// `{"files":{"<path>":{"text":"…","bytes":N,"writable":false}},"writable":false}`; `DATA` names another folder.
pub fn report() -> String {
    let folder = PathBuf::from(env::var_os("DATA").unwrap_or_else(|| FOLDER.into()));
    let mut files = Vec::new();
    collect(&folder, &folder, &mut files);
    files.sort();
    format!(r#"{{"files":{{{}}},"writable":{}}}"#, files.join(","), writable(&folder))
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
            continue;
        }
        let bytes = fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT_BYTES_MAX)]).into_owned();
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let opens = OpenOptions::new().append(true).open(&path).is_ok();
        files.push(format!(
            r#"{}:{{"text":{},"bytes":{},"writable":{opens}}}"#,
            string(&name),
            string(&text),
            bytes.len()
        ));
    }
}

/// Whether anything at all can be made, changed or taken away in the folder.
fn writable(folder: &Path) -> bool {
    let made = fs::write(folder.join(".misbehave"), b"x").is_ok();
    let linked = symlink("/etc/passwd", folder.join(".link")).is_ok();
    let first = fs::read_dir(folder).into_iter().flatten().flatten().next();
    let removed = first.is_some_and(|entry| fs::remove_file(entry.path()).is_ok());
    made || linked || removed
}
