//! Cached commitment keys: damaged, foreign and contended files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use elastic_folding::commitment::{CacheFault, CommitmentKey, Curve, Error, KEY_SIZE_MAX};
use halo2curves::{bn256, grumpkin};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const K: usize = 6;
const HEADER_LEN: usize = 96;
const FILE_LEN: usize = HEADER_LEN + (64 << K);

fn load<C: Curve>(folder: &Path, label: &str, k: usize) -> Result<CommitmentKey<C>, Error> {
    // SAFETY: the folder is this test's own.
    #[expect(unsafe_code, reason = "the function under test is unsafe to call")]
    unsafe {
        CommitmentKey::load_or_setup_cache(folder, label, k)
    }
}

fn load_bn256(folder: &Path) -> Result<CommitmentKey<bn256::G1Affine>, Error> {
    load(folder, "bn256", K)
}

fn path(folder: &Path) -> PathBuf {
    folder.join("bn256").join(format!("{K}.bin"))
}

/// A folder with a good key in it, and the key's bytes.
fn cached() -> (TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    load_bn256(folder.path()).unwrap();
    let bytes = fs::read(path(folder.path())).unwrap();
    assert_eq!(bytes.len(), FILE_LEN);
    (folder, bytes)
}

/// What is wrong with a file of these bytes. That the file is left as it is, and named, is checked too.
fn fault(folder: &TempDir, bytes: &[u8]) -> CacheFault {
    let file = path(folder.path());
    fs::write(&file, bytes).unwrap();
    let error = load_bn256(folder.path()).unwrap_err();
    assert!(error.to_string().contains(file.to_str().unwrap()), "{error}");
    assert!(error.to_string().contains("remove the file"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), bytes, "a bad file must not be replaced");
    match error {
        Error::Cache { fault, .. } => fault,
        other => panic!("not refused as a cached key: {other:?}"),
    }
}

/// Puts the digest of the payload in the header.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let digest = Sha256::digest(&bytes[HEADER_LEN..]);
    bytes[64..HEADER_LEN].copy_from_slice(&digest);
    bytes
}

#[test]
fn a_key_is_made_once_and_then_loaded_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let made = load_bn256(folder.path()).unwrap();
    let written = fs::metadata(path(folder.path())).unwrap().modified().unwrap();
    let loaded = load_bn256(folder.path()).unwrap();
    assert_eq!(fs::metadata(path(folder.path())).unwrap().modified().unwrap(), written);
    let setup = CommitmentKey::<bn256::G1Affine>::setup(K, b"bn256").unwrap();
    for key in [&made, &loaded] {
        assert_eq!(key.points(), setup.points());
        assert_eq!((key.k(), key.digest()), (K, setup.digest()));
    }
    assert!(!path(folder.path()).with_extension("tmp").exists());
}

#[test]
fn sizes_curves_and_labels_have_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for k in [0, 1, 5] {
        assert_eq!(load::<bn256::G1Affine>(folder.path(), "bn256", k).unwrap().len(), 1 << k);
        assert_eq!(load::<grumpkin::G1Affine>(folder.path(), "grumpkin", k).unwrap().len(), 1 << k);
        assert_eq!(load::<grumpkin::G1Affine>(folder.path(), "grumpkin", k).unwrap().len(), 1 << k);
    }
    for file in ["bn256/0.bin", "bn256/5.bin", "grumpkin/1.bin"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

#[test]
fn loads_all_of_a_key_longer_than_a_chunk() {
    let folder = tempfile::tempdir().unwrap();
    let made = load::<bn256::G1Affine>(folder.path(), "bn256", 15).unwrap();
    assert_eq!(load::<bn256::G1Affine>(folder.path(), "bn256", 15).unwrap().points(), made.points());
}

#[test]
fn a_file_cut_short_or_made_longer_is_refused() {
    let (folder, bytes) = cached();
    for len in [0, 1, HEADER_LEN - 1] {
        assert_eq!(fault(&folder, &bytes[..len]), CacheFault::NotAKey);
    }
    for len in [HEADER_LEN, HEADER_LEN + 64, FILE_LEN - 1] {
        let expected = CacheFault::Length { found: len as u64, wanted: FILE_LEN as u64 };
        assert_eq!(fault(&folder, &bytes[..len]), expected);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(fault(&folder, &longer), CacheFault::Length { .. }));
}

#[test]
fn each_field_of_the_header_is_checked() {
    let (folder, bytes) = cached();
    let with = |at: usize| {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        changed
    };
    for at in 0..8 {
        assert_eq!(fault(&folder, &with(at)), CacheFault::NotAKey, "magic");
    }
    for at in 8..12 {
        assert!(matches!(fault(&folder, &with(at)), CacheFault::Version { wanted: 1, .. }), "version");
    }
    for at in 12..16 {
        assert!(matches!(fault(&folder, &with(at)), CacheFault::Size { wanted: 6, .. }), "size");
    }
    for at in 16..32 {
        assert_eq!(fault(&folder, &with(at)), CacheFault::Curve { wanted: "bn256" }, "curve");
    }
    for at in 32..64 {
        assert_eq!(fault(&folder, &with(at)), CacheFault::Derivation, "seed");
    }
    for at in 64..HEADER_LEN {
        assert_eq!(fault(&folder, &with(at)), CacheFault::Digest, "digest");
    }
}

#[test]
fn a_flipped_byte_of_a_point_is_refused() {
    let (folder, bytes) = cached();
    for at in (HEADER_LEN..FILE_LEN).step_by(61).chain([FILE_LEN - 1]) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x40;
        assert_eq!(fault(&folder, &flipped), CacheFault::Digest, "byte {at}");
    }
}

#[test]
fn a_point_off_the_curve_is_refused_though_the_digest_is_right() {
    let (folder, bytes) = cached();
    let mut off_curve = bytes.clone();
    off_curve[HEADER_LEN + 64 * 5] ^= 1;
    assert_eq!(fault(&folder, &sealed(off_curve)), CacheFault::Point { index: 5 });
    let mut identity = bytes.clone();
    identity[HEADER_LEN + 64 * 7..][..64].fill(0);
    assert_eq!(fault(&folder, &sealed(identity)), CacheFault::Point { index: 7 });
}

#[test]
fn a_coordinate_that_is_not_canonical_is_refused() {
    // The modulus of bn256's base field, little-endian; a coordinate plus it still fits in 32 bytes.
    let modulus = "47fd7cd8168c203c8dca7168916a81975d588181b64550b829a031e1724e6430";
    let (folder, mut bytes) = cached();
    let mut carry = 0;
    for (i, byte) in bytes[HEADER_LEN + 64 * 3..][..32].iter_mut().enumerate() {
        let digit = u16::from_str_radix(&modulus[2 * i..2 * i + 2], 16).unwrap();
        let sum = u16::from(*byte) + digit + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    assert_eq!(carry, 0);
    assert_eq!(fault(&folder, &sealed(bytes)), CacheFault::Point { index: 3 });
}

#[test]
fn hole_15_another_key_of_good_points_is_refused_though_the_digest_is_right() {
    let (folder, bytes) = cached();
    // The points of another label, as its own file has them, under this label's header.
    load::<bn256::G1Affine>(folder.path(), "another", K).unwrap();
    let another = fs::read(folder.path().join(format!("another/{K}.bin"))).unwrap();
    let mut foreign = bytes.clone();
    foreign[HEADER_LEN..].copy_from_slice(&another[HEADER_LEN..]);
    assert!(matches!(fault(&folder, &sealed(foreign)), CacheFault::Foreign { .. }));
    assert_eq!(fault(&folder, &another), CacheFault::Derivation);
    // One point again and again, whose multiples are easily known.
    let mut repeated = bytes.clone();
    for i in 1..1 << K {
        repeated.copy_within(HEADER_LEN..HEADER_LEN + 64, HEADER_LEN + 64 * i);
    }
    assert!(matches!(fault(&folder, &sealed(repeated)), CacheFault::Foreign { .. }));
    // The first two points the other way round.
    let mut swapped = bytes;
    let (before, after) = swapped.split_at_mut(HEADER_LEN + 64);
    before[HEADER_LEN..].swap_with_slice(&mut after[..64]);
    assert!(matches!(fault(&folder, &sealed(swapped)), CacheFault::Foreign { .. }));
}

#[test]
fn a_file_of_another_curve_or_size_is_refused() {
    let (folder, bytes) = cached();
    load::<grumpkin::G1Affine>(folder.path(), "grumpkin", K).unwrap();
    let grumpkin = fs::read(folder.path().join(format!("grumpkin/{K}.bin"))).unwrap();
    assert_eq!(fault(&folder, &grumpkin), CacheFault::Curve { wanted: "bn256" });
    load::<bn256::G1Affine>(folder.path(), "bn256", K + 1).unwrap();
    let larger = fs::read(folder.path().join(format!("bn256/{}.bin", K + 1))).unwrap();
    assert_eq!(fault(&folder, &larger), CacheFault::Size { found: 7, wanted: 6 });
    fs::write(path(folder.path()), bytes).unwrap();
    load_bn256(folder.path()).unwrap();
}

#[test]
fn a_file_left_half_written_is_no_hindrance() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bn256")).unwrap();
    fs::write(path(folder.path()).with_extension("tmp"), b"half").unwrap();
    load_bn256(folder.path()).unwrap();
    load_bn256(folder.path()).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"in the way").unwrap();
    let error = load_bn256(&file).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error:?}");
    assert!(error.to_string().contains("file/bn256"), "{error}");
    // In the place of the label's folder, of the lock and of the key.
    fs::write(folder.path().join("bn256"), b"in the way").unwrap();
    assert!(matches!(load_bn256(folder.path()), Err(Error::Io { .. })));
    fs::remove_file(folder.path().join("bn256")).unwrap();
    fs::create_dir_all(folder.path().join(format!("bn256/{K}.lock"))).unwrap();
    assert!(matches!(load_bn256(folder.path()), Err(Error::Io { action: "open", .. })));
    fs::remove_dir(folder.path().join(format!("bn256/{K}.lock"))).unwrap();
    fs::create_dir(path(folder.path())).unwrap();
    assert!(load_bn256(folder.path()).is_err());
}

#[test]
fn a_label_that_is_not_the_name_of_a_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for label in ["", ".", "..", "../up", "a/b", "/tmp", "a\\b", "a b", "\0"] {
        let refused = load::<bn256::G1Affine>(folder.path(), label, 1);
        assert!(matches!(refused, Err(Error::Label { .. })), "{label:?}");
    }
    assert!(matches!(
        load::<bn256::G1Affine>(folder.path(), "bn256", KEY_SIZE_MAX + 1),
        Err(Error::KeySize { .. })
    ));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_label_that_names_the_other_curve_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = load::<bn256::G1Affine>(folder.path(), "grumpkin", 1);
    assert!(matches!(refused, Err(Error::CurveLabel { curve: "bn256", .. })), "{refused:?}");
    let refused = load::<grumpkin::G1Affine>(folder.path(), "bn256", 1);
    assert!(matches!(refused, Err(Error::CurveLabel { curve: "grumpkin", .. })), "{refused:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    load::<grumpkin::G1Affine>(folder.path(), "bn256-like", 1).unwrap();
}

#[test]
fn threads_that_want_one_key_all_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let expected = CommitmentKey::<bn256::G1Affine>::setup(10, b"bn256").unwrap();
    std::thread::scope(|scope| {
        let load = || load::<bn256::G1Affine>(folder.path(), "bn256", 10).unwrap();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap().points(), expected.points());
        }
    });
}

const CHILD_FOLDER: &str = "ELASTIC_FOLDING_TEST_CACHE";

#[test]
#[ignore = "is the program that `processes_that_want_one_key_all_get_it` starts"]
fn child_process() {
    let folder = std::env::var_os(CHILD_FOLDER).unwrap();
    let digest = load::<bn256::G1Affine>(Path::new(&folder), "bn256", 11).unwrap().digest();
    println!("digest {digest:?}");
}

#[test]
fn processes_that_want_one_key_all_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["commitment_key_cache::child_process", "--exact", "--ignored", "--nocapture"])
            .env(CHILD_FOLDER, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..4).map(|_| start()).collect();
    let digest = CommitmentKey::<bn256::G1Affine>::setup(11, b"bn256").unwrap().digest();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(&format!("digest {digest:?}")), "{said}");
    }
    let files: Vec<_> =
        fs::read_dir(folder.path().join("bn256")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "the key and its lock: {files:?}");
}
