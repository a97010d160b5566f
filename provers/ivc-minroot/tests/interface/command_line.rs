//! The verifier as a command.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use ivc_minroot::{Fr, ITERATIONS, Input, Prover, Setup, evaluate, format_decimal};

fn verify(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ivc-minroot-verify"))
        .args(args)
        .env_remove("ELASTIC_SRS_PATH")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have judged before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_proof_is_accepted_from_standard_input_and_rejected_for_another_statement() {
    let prover = Prover::new(Setup::development().unwrap());
    let start = [Fr::from(0), Fr::from(1)];
    let proof = prover.prove(&Input::new(2, start).unwrap()).unwrap();
    let [x, y] = evaluate(start, 2 * ITERATIONS).output.map(|element| format_decimal(&element));

    let accepted = verify(
        &["--steps", "2", "--z0", "0", "1", "--proof", "-", "--allow-development"],
        &format!("{proof}\n"),
    );
    assert_eq!(text(&accepted.stdout), format!("accepted: the steps end at {x} {y}\n"));
    assert_eq!(accepted.status.code(), Some(0));

    let as_json =
        verify(&["--steps", "2", "--z0", "0", "1", "--proof", &proof, "--json", "--allow-development"], "");
    assert_eq!(
        text(&as_json.stdout),
        format!("{{\"accepted\":true,\"parameters\":\"development\",\"z\":[\"{x}\",\"{y}\"]}}\n")
    );

    let refused = verify(&["--steps", "2", "--z0", "0", "1", "--proof", &proof, "--json"], "");
    let line = text(&refused.stdout);
    let start = r#"{"accepted":false,"parameters":"development","reason":"the proof verifies, but"#;
    assert!(line.starts_with(start) && line.contains("--allow-development"), "{line}");
    assert_eq!(refused.status.code(), Some(2));

    for other in [["--steps", "3", "--z0", "0", "1"], ["--steps", "2", "--z0", "1", "1"]] {
        let rejected = verify(&[&other[..], &["--proof", "-"]].concat(), &proof);
        let output = text(&rejected.stdout);
        assert!(output.starts_with("rejected: it does not prove these steps from this z0"), "{output}");
        assert_eq!(rejected.status.code(), Some(1));
    }
}

#[test]
fn distinguishes_what_cannot_be_carried_out_from_a_rejection() {
    let cases: [(&[&str], &str); 11] = [
        (&["--steps", "0", "--z0", "0", "1", "--proof", "x"], "the number of steps is 1 to 4194304, not 0"),
        (&["--steps", "2", "--z0", "0", "01", "--proof", "x"], "--z0 01: it has a leading zero"),
        (&["--steps", "2", "--z0", "0", "1", "--proof", "@/nothing/here"], "/nothing/here: No such file"),
        (&["--steps", "-2", "--z0", "0", "1", "--proof", "x"], "invalid value '-2' for '--steps <STEPS>'"),
        (&["--steps", "+2", "--z0", "0", "1", "--proof", "x"], "'+' is not a decimal digit"),
        (&["--steps", "02", "--z0", "0", "1", "--proof", "x"], "it has a leading zero"),
        (&["--steps", " 2", "--z0", "0", "1", "--proof", "x"], "' ' is not a decimal digit"),
        (&["--steps", "2", "--z0", "0", "-1", "--proof", "x"], "--z0 -1: '-' is not a decimal digit"),
        (&["--steps", "2", "--proof", "x"], "--z0 <X> <Y>"),
        (&["--steps", "2", "--z0", "0", "1", "--proof", "Cargo.toml"], "--proof @Cargo.toml"),
        (&["--steps", "2", "--z0", "0", "--proof", "x"], "2 values required"),
    ];
    for (args, says) in cases {
        let refused = verify(args, "");
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(text(&refused.stderr).contains(says), "{args:?}: {}", text(&refused.stderr));
    }
}
