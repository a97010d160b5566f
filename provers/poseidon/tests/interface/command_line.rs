//! The separate verifier, as a person or a script calls it.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::support::{HASH_OF_1_2, proof_of_1_2};

fn poseidon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_poseidon"))
        .args(arguments)
        .env_remove("ELASTIC_SRS_PATH")
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn verify(public_input: &str, proof: &str, more: &[&str]) -> Output {
    poseidon(&[&["verify", "--inputs", "2", "--public-input", public_input, "--proof", proof], more].concat())
}

#[test]
fn a_hash_is_printed_in_decimal() {
    let output = poseidon(&["hash", "1", "2"]);
    assert_eq!(stdout(&output), format!("{HASH_OF_1_2}\n"));
    assert_eq!(poseidon(&["hash"]).status.code(), Some(2));
    assert_eq!(poseidon(&["hash", "18446744073709551616"]).status.code(), Some(2));
}

#[test]
fn a_proof_goes_from_one_process_to_another_and_warns_about_the_development_parameters() {
    let input = format!(r#"{{"private_input":[1,2],"public_input":"{HASH_OF_1_2}"}}"#);
    let output = poseidon(&["prove", "--input", &input]);
    assert_eq!(output.status.code(), Some(0));
    let warnings = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(warnings.matches("INSECURE development SRS").count(), 1, "{warnings}");
    let verdict = verify(HASH_OF_1_2, stdout(&output).trim_end(), &["--allow-development"]);
    assert_eq!((verdict.status.code(), stdout(&verdict)), (Some(0), "accepted\n"));
}

#[test]
fn a_rejection_has_exit_status_one_and_a_reason() {
    let other = HASH_OF_1_2.replace("353", "354");
    let verdict = verify(&other, proof_of_1_2(), &[]);
    assert_eq!(verdict.status.code(), Some(1));
    assert_eq!(stdout(&verdict), "rejected: the proof does not prove this statement\n");
    let verdict = verify("007", proof_of_1_2(), &["--json"]);
    assert_eq!(verdict.status.code(), Some(2), "a statement that there is none of is not the proof's fault");
    let expected = r#"{"accepted":false,"parameters":"development","reason":"the public input is not a canonical decimal: it has a leading zero"}"#;
    assert_eq!(stdout(&verdict).trim_end(), expected);
}

#[test]
fn a_proof_is_also_read_from_a_file_or_from_standard_input() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proof.txt");
    fs::write(&path, format!("{}\n", proof_of_1_2())).unwrap();
    let from_file = verify(HASH_OF_1_2, &format!("@{}", path.display()), &["--json", "--allow-development"]);
    assert_eq!(stdout(&from_file), "{\"accepted\":true,\"parameters\":\"development\"}\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_poseidon"))
        .args([
            "verify",
            "--inputs",
            "2",
            "--public-input",
            HASH_OF_1_2,
            "--proof",
            "-",
            "--allow-development",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(proof_of_1_2().as_bytes()).unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()), "accepted\n");
}

#[test]
fn what_cannot_be_carried_out_has_exit_status_two() {
    let no_file = verify(HASH_OF_1_2, "@/nowhere/at/all", &[]);
    assert_eq!(no_file.status.code(), Some(2));
    assert!(String::from_utf8(no_file.stderr).unwrap().contains("/nowhere/at/all"));
    let seventeen = poseidon(&["verify", "--inputs", "17", "--public-input", "1", "--proof", proof_of_1_2()]);
    assert_eq!(seventeen.status.code(), Some(2));
    assert_eq!(poseidon(&["prove", "--input", "{}"]).status.code(), Some(2));
    assert_eq!(poseidon(&["prove"]).status.code(), Some(2));
    let output = Command::new(env!("CARGO_BIN_EXE_poseidon"))
        .args(["verify", "--inputs", "2", "--public-input", "1", "--proof", "x"])
        .env("ELASTIC_SRS_PATH", "/nowhere/srs.ptau")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "a named file is never replaced by the development parameters");
}

#[test]
fn a_false_statement_is_not_proven_and_says_so() {
    let output = poseidon(&["prove", "--input", r#"{"private_input":[1,2],"public_input":"3"}"#]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("the Poseidon hash of private_input does not equal public_input"), "{text}");
}

#[test]
fn a_proof_under_the_development_parameters_is_not_accepted_unless_they_are_allowed() {
    let verdict = verify(HASH_OF_1_2, proof_of_1_2(), &["--json"]);
    let line = stdout(&verdict);
    assert!(
        line.starts_with(r#"{"accepted":false,"parameters":"development","reason":"the proof verifies, but"#),
        "{line}"
    );
    assert!(line.contains("ELASTIC_SRS_PATH") && line.contains("--allow-development"), "{line}");
    assert_eq!(verdict.status.code(), Some(2));
    let verdict = verify(HASH_OF_1_2, proof_of_1_2(), &[]);
    assert!(stdout(&verdict).starts_with("rejected: the proof verifies, but"), "{}", stdout(&verdict));
    assert_eq!(verdict.status.code(), Some(2));
    let allowed = verify(HASH_OF_1_2, proof_of_1_2(), &["--allow-development"]);
    assert_eq!((stdout(&allowed), allowed.status.code()), ("accepted\n", Some(0)));
    let rejected = verify("3", proof_of_1_2(), &["--allow-development"]);
    assert_eq!(rejected.status.code(), Some(1), "what does not verify is rejected under any parameters");
}

#[test]
fn numbers_have_one_spelling() {
    for (number, why) in
        [("+2", "'+' is not a decimal digit"), ("02", "a leading zero"), (" 2", "' ' is not a decimal digit")]
    {
        let hashed = poseidon(&["hash", "1", number]);
        let verified = poseidon(&[
            "verify",
            "--inputs",
            number,
            "--public-input",
            HASH_OF_1_2,
            "--proof",
            proof_of_1_2(),
        ]);
        let of_value = verify(number, proof_of_1_2(), &[]);
        for refused in [hashed, verified] {
            assert_eq!(refused.status.code(), Some(2), "{number:?}");
            let text = String::from_utf8(refused.stderr).unwrap();
            assert!(text.contains(why), "{number:?}: {text}");
        }
        assert!(of_value.status.code() == Some(2) && stdout(&of_value).contains(why), "{number:?}");
    }
}

#[test]
fn a_maximum_degree_in_the_environment_changes_nothing() {
    let arguments = [
        "verify",
        "--inputs",
        "2",
        "--public-input",
        HASH_OF_1_2,
        "--proof",
        proof_of_1_2(),
        "--allow-development",
    ];
    for degree in ["", "x", "-1", "3", "4", "1000"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_poseidon"));
        let output = command
            .args(arguments)
            .env_remove("ELASTIC_SRS_PATH")
            .env("MAX_DEGREE", degree)
            .output()
            .unwrap();
        assert_eq!((stdout(&output), output.status.code()), ("accepted\n", Some(0)), "MAX_DEGREE={degree}");
    }
}
