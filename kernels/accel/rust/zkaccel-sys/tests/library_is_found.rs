//! What the build script says where it finds nothing to link.

#[path = "../build/prebuilt.rs"]
mod prebuilt;

use std::{fs, path::Path};

use prebuilt::{VARIABLE, library_folder, sources_are_there};

#[test]
fn a_folder_with_the_library_is_taken_by_its_full_path() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with-library");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("libzkaccel.so"), "").unwrap();
    assert_eq!(library_folder(&folder.join(".")), Ok(folder.canonicalize().unwrap()));
}

#[test]
fn a_folder_without_it_is_named_with_what_to_do() {
    let said = library_folder(Path::new("/nowhere")).unwrap_err();
    for part in ["ZKA_LIB_DIR is /nowhere,", "deploy/setup.sh accel", "ZKA_LIB_DIR=` (empty)"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn without_sources_it_asks_for_a_folder_with_the_library() {
    assert_eq!(sources_are_there(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")), Ok(()));
    assert!(
        sources_are_there(Path::new("/nowhere"))
            .unwrap_err()
            .contains(&format!("set {VARIABLE} to a folder"))
    );
}
