//! Computations that are saved in files, and resumed.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::common::{PARAMETERS, SAME, SECONDARY_Z_0, Square, Z_0, computed, output};
use elastic_folding::ivc::{BytesError, Error, Refusal};
use elastic_folding::prelude::bn256::IVC;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

const DIGEST_BYTES: usize = 32;
const HEADER_BYTES: usize = 13;

/// A computation of two steps, saved.
static SAVED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    computed(2).save(&path).unwrap();
    fs::read(path).unwrap()
});

fn load(path: &Path) -> Result<IVC<1, 1>, Error> {
    IVC::load(path, &PARAMETERS)
}

fn load_bytes(folder: &TempDir, bytes: &[u8]) -> Result<IVC<1, 1>, Error> {
    let path = folder.path().join("state");
    fs::write(&path, bytes).unwrap();
    load(&path)
}

/// What is wrong with a file of these bytes. That the error names it, and leaves it as it is, is checked too.
fn fault(folder: &TempDir, bytes: &[u8]) -> BytesError {
    let path = folder.path().join("state");
    let error = load_bytes(folder, bytes).unwrap_err();
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes, "a bad file must not be replaced");
    match error {
        Error::Saved { fault, .. } => fault,
        other => panic!("not refused as a saved computation: {other}"),
    }
}

/// Ends with the digest of what is before.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - DIGEST_BYTES;
    let digest = Sha256::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&digest);
    bytes
}

#[test]
fn resumes_a_computation_from_its_file_as_if_it_had_not_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    for rested in [1, 2] {
        computed(rested).save(&path).unwrap();
        let mut ivc = load(&path).unwrap();
        for witness in rested + 1..=4 {
            ivc.fold_step(&PARAMETERS, &Square { witness, excess: 0 }, &*SAME).unwrap();
        }
        let outputs = ivc.verify_with(&PARAMETERS, 4, &Z_0, &SECONDARY_Z_0).unwrap();
        assert_eq!(outputs, (output(4), SECONDARY_Z_0));
        assert_eq!(ivc.proof().to_bytes(), computed(4).proof().to_bytes());
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["state"], "nothing else is left in the folder");
}

#[test]
fn debug_mode_is_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let wrong = Square { witness: 2, excess: 1 };
    for debug_mode in [false, true] {
        let ivc = IVC::new(&PARAMETERS, &Square::default(), Z_0, &*SAME, SECONDARY_Z_0, debug_mode).unwrap();
        ivc.save(&path).unwrap();
        let step = load(&path).unwrap().fold_step(&PARAMETERS, &wrong, &*SAME);
        assert_eq!(matches!(step, Err(Error::Unsatisfied { .. })), debug_mode);
    }
}

#[test]
fn a_flipped_byte_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let end = SAVED.len() - DIGEST_BYTES;
    let all = (0..HEADER_BYTES + 60)
        .chain((HEADER_BYTES..end).step_by(SAVED.len() / 40))
        .chain(end - 8..SAVED.len());
    for index in all {
        let mut bytes = SAVED.clone();
        bytes[index] ^= 1 << (index % 8);
        let fault = fault(&folder, &bytes);
        let expected = match index {
            0..8 => BytesError::NotThis,
            8..12 => {
                BytesError::Version { found: u32::from_le_bytes(bytes[8..12].try_into().unwrap()), wanted: 1 }
            }
            _ => BytesError::Digest,
        };
        assert_eq!(fault, expected, "byte {index}");
    }
}

#[test]
fn files_cut_short_too_long_or_of_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(fault(&folder, &[]), BytesError::NotThis);
    assert_eq!(fault(&folder, &SAVED[..12]), BytesError::NotThis);
    assert_eq!(fault(&folder, &SAVED[..13]), BytesError::Digest);
    assert_eq!(fault(&folder, &SAVED[..SAVED.len() - 1]), BytesError::Digest);
    assert_eq!(fault(&folder, &computed(1).proof().to_bytes()), BytesError::NotThis);
    let (found, wanted) = (SAVED.len() as u64 + 1, SAVED.len() as u64);
    assert_eq!(fault(&folder, &[&SAVED[..], &[0]].concat()), BytesError::Length { found, wanted });
    let headless = sealed([&SAVED[..HEADER_BYTES + 51], &[0; DIGEST_BYTES]].concat());
    assert_eq!(fault(&folder, &headless), BytesError::NotThis);
}

#[test]
fn a_state_that_does_not_hold_is_refused_however_well_it_was_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = SAVED.clone();
    // The first element after the header is the first input.
    bytes[HEADER_BYTES + 52] ^= 2;
    assert!(matches!(load_bytes(&folder, &sealed(bytes)), Err(Error::Refused(Refusal::StateHash))));
    let mut bytes = SAVED.clone();
    bytes[HEADER_BYTES + 12] ^= 1;
    assert!(matches!(load_bytes(&folder, &sealed(bytes)), Err(Error::OtherParameters)));
}

#[test]
fn a_computation_was_in_debug_mode_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = SAVED.clone();
    bytes[12] = 2;
    assert_eq!(fault(&folder, &sealed(bytes)), BytesError::NotThis);
}

#[test]
fn a_file_that_cannot_be_read_or_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let error = load(&missing).unwrap_err();
    assert!(matches!(&error, Error::Io { action: "open", path, .. } if *path == missing), "{error}");
    let nowhere = missing.join("state");
    let error = computed(1).save(&nowhere).unwrap_err();
    assert!(matches!(&error, Error::Io { action: "write", .. }), "{error}");
    // A folder that is not empty cannot be replaced by a file; what was written is taken away again.
    let full = folder.path().join("full");
    fs::create_dir_all(full.join("inner")).unwrap();
    let error = computed(1).save(&full).unwrap_err();
    assert!(matches!(&error, Error::Io { action: "put in place", .. }), "{error}");
    assert!(!folder.path().join("full.tmp").exists());
}

#[test]
fn half_a_file_that_a_stopped_machine_left_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    fs::write(folder.path().join("state.tmp"), b"half").unwrap();
    fs::write(&path, b"older").unwrap();
    computed(1).save(&path).unwrap();
    load(&path).unwrap();
    assert!(!folder.path().join("state.tmp").exists());
}

#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_half_a_file_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("state"), folder.path().join("other"));
    fs::write(&other, b"of somebody else").unwrap();
    std::os::unix::fs::symlink(&other, folder.path().join("state.tmp")).unwrap();
    computed(1).save(&path).unwrap();
    assert_eq!(fs::read(&other).unwrap(), b"of somebody else");
    assert!(!path.is_symlink());
    load(&path).unwrap();
}
