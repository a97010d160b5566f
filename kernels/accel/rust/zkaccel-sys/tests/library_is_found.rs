//! What the build script says where it finds nothing to link.

#[path = "../build/prebuilt.rs"]
mod prebuilt;
#[path = "../build/tools.rs"]
mod tools;

use std::{fs, path::Path};

use prebuilt::{VARIABLE, library_folder, sources_are_there};
use tools::{Tool, are_there, needed};

#[test]
fn a_folder_with_the_library_is_taken_by_its_full_path() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with-library");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("libzkaccel.so"), "").unwrap();
    assert_eq!(library_folder(&folder.join("."), false), Ok(folder.canonicalize().unwrap()));
}

#[test]
fn a_folder_without_it_is_named_with_what_to_do() {
    let said = library_folder(Path::new("/nowhere"), false).unwrap_err();
    for part in ["ZKA_LIB_DIR is /nowhere,", "deploy/setup.sh accel", "ZKA_LIB_DIR=` (empty)"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_relative_folder_is_told_with_the_absolute_path_that_was_tried() {
    let said = library_folder(Path::new("no/where"), false).unwrap_err();
    let tried = std::env::current_dir().unwrap().join("no/where");
    assert!(said.contains(&format!("no libzkaccel.so in {}", tried.display())), "{said}");
    assert!(said.contains("by an absolute path"), "{said}");
}

#[test]
fn a_machine_without_what_the_build_starts_is_told_what_to_install() {
    assert_eq!(are_there(&[]), Ok(()));
    assert!(needed().iter().any(|tool| tool.package == "g++"));
    let tool = |command: &str, package| Tool { what: "a tool", command: command.into(), package };
    let said =
        are_there(&[tool("cc -O2", "gcc"), tool("/nowhere/cmake", "cmake"), tool("no-such-make", "make")])
            .unwrap_err();
    assert!(said.contains("lacks a tool (/nowhere/cmake), a tool (no-such-make):"), "{said}");
    assert!(said.contains("`apt-get install cmake make`"), "{said}");
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
