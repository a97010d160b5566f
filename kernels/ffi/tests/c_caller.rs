//! The library as a program in another language meets it: the header compiles, the symbols link, and what ends
//! the process ends it as it should.

use std::{
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

/// Compiles `tests/caller.c` once. Rust links with `cc` itself, so there is one wherever this test runs.
fn caller() -> &'static Path {
    static CALLER: OnceLock<PathBuf> = OnceLock::new();
    CALLER.get_or_init(|| {
        let test = std::env::current_exe().expect("this test has a path");
        let library_folder = test.parent().expect("it is in a folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("caller");
        let status = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
            .arg(source.join("include"))
            .arg(source.join("tests/caller.c"))
            .arg(library_folder.join("libelastic_ffi.so"))
            .arg(format!("-Wl,-rpath,{}", library_folder.display()))
            .arg("-o")
            .arg(&program)
            .status()
            .expect("cc runs");
        assert!(status.success(), "the caller compiles without a warning");
        program
    })
}

fn call(arguments: &[&str]) -> Output {
    Command::new(caller()).args(arguments).output().expect("the caller runs")
}

#[test]
fn a_c_program_sees_the_test_provers_only_after_it_enabled_them() {
    let output = call(&[]);
    assert!(output.status.success());
    let lines: Vec<_> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    assert_eq!(
        lines,
        [
            "[\"poseidon\",\"poseidon-verify\",\"ivc-minroot\",\"ivc-minroot-verify\"]",
            "3 there is no builtin prover \"noop\", only poseidon, poseidon-verify, ivc-minroot, ivc-minroot-verify",
            "0 \"ok\""
        ]
    );
}

#[test]
fn ends_the_process_by_the_requested_signal_in_the_crash_prover() {
    for (input, signal) in [(r#"{}"#, 11), (r#"{"how":"segv"}"#, 11), (r#"{"how":"abort"}"#, 6)] {
        assert_eq!(call(&["crash", input]).status.signal(), Some(signal), "{input}");
    }
    assert!(call(&["crash", r#"{"how":"stack"}"#]).status.signal().is_some());
}

#[test]
fn a_panic_comes_back_to_c_as_a_status_with_its_message() {
    let output = call(&["crash", r#"{"how":"panic"}"#]);
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "5 the prover panicked: the crash prover panics as requested\n"
    );
}
