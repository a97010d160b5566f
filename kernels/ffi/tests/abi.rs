//! The exported functions, called as C would call them.
#![allow(unsafe_code, clippy::unwrap_used)]

use std::{
    ffi::CString,
    ptr::{null, null_mut},
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

use elastic_ffi::{
    Status,
    abi::{
        elastic_enable_test_provers, elastic_free, elastic_prove, elastic_prover_names, elastic_prover_ready,
    },
};

const INPUT: &[u8] = br#"{"private_input":[1,2],"public_input":"7853200120776062878684798364095072458815029376092732009249414926327459813530"}"#;

/// Calls, copies the output, and frees it.
fn take(call: impl FnOnce(*mut *mut u8, *mut usize) -> i32) -> (i32, Vec<u8>) {
    let (mut output, mut len) = (null_mut(), usize::MAX);
    let status = call(&mut output, &mut len);
    if output.is_null() {
        assert_eq!(len, 0, "an output that is null is empty");
        return (status, Vec::new());
    }
    // SAFETY: the library wrote the pair, and it is released once.
    let bytes = unsafe { std::slice::from_raw_parts(output, len) }.to_vec();
    // SAFETY: as above.
    unsafe { elastic_free(output, len) };
    (status, bytes)
}

fn prove_with(name: &str, input: &[u8], progress: *mut u32, cancel: *const u32) -> (i32, Vec<u8>) {
    let name = CString::new(name).unwrap();
    // SAFETY: every pointer is valid for the call.
    take(|output, len| unsafe {
        elastic_prove(name.as_ptr(), input.as_ptr(), input.len(), progress, cancel, output, len)
    })
}

fn prove(name: &str, input: &[u8]) -> (i32, String) {
    let (status, output) = prove_with(name, input, null_mut(), null());
    (status, String::from_utf8(output).unwrap())
}

#[test]
fn a_poseidon_proof_made_through_the_border_verifies() {
    let progress = AtomicU32::new(0);
    let (status, output) = prove_with("poseidon", INPUT, progress.as_ptr(), null());
    assert_eq!(status, Status::Ok as i32);
    assert_eq!(progress.load(Ordering::Relaxed), 1_000_000);
    let proof: String = serde_json::from_slice(&output).unwrap();
    let public = "7853200120776062878684798364095072458815029376092732009249414926327459813530";
    poseidon::Prover::global().unwrap().verify(2, public, &proof).unwrap();
}

#[test]
fn a_verifier_accepts_the_proof_of_an_input_and_of_no_other() {
    let (_, proof) = prove("poseidon", INPUT);
    let input = std::str::from_utf8(INPUT).unwrap();
    let verify = |input: &str, proof: &str| {
        prove("poseidon-verify", format!(r#"{{"input":{input},"result":{proof}}}"#).as_bytes())
    };
    assert_eq!(verify(input, &proof), (Status::Ok as i32, r#"{"valid":true}"#.to_owned()));
    let other = input.replace("7853", "7854");
    for (input, proof) in [(other.as_str(), proof.as_str()), (input, r#""AAAA""#), (input, r#""no proof""#)] {
        let (status, verdict) = verify(input, proof);
        assert_eq!(status, Status::Ok as i32);
        assert!(verdict.starts_with(r#"{"valid":false,"message":""#), "{verdict}");
    }
    let (status, message) = prove("poseidon-verify", INPUT);
    assert_eq!(status, Status::BadInput as i32);
    assert!(message.contains("input"), "{message}");
}

#[test]
fn a_proof_of_folded_steps_is_accepted_by_its_verifier_and_for_no_other_input() {
    let input = r#"{"steps":2,"z0":["0","1"]}"#;
    let (status, proof) = prove("ivc-minroot", input.as_bytes());
    assert_eq!(status, Status::Ok as i32, "{proof}");
    let verify = |input: &str, proof: &str| {
        prove("ivc-minroot-verify", format!(r#"{{"input":{input},"result":{proof}}}"#).as_bytes())
    };
    assert_eq!(verify(input, &proof), (Status::Ok as i32, r#"{"valid":true}"#.to_owned()));
    let (steps, start) = (input.replace('2', "3"), input.replace("\"1\"", "\"2\""));
    for (input, proof) in [(steps.as_str(), proof.as_str()), (&start, &proof), (input, r#""AAAA""#)] {
        let (status, verdict) = verify(input, proof);
        assert_eq!(status, Status::Ok as i32);
        assert!(verdict.starts_with(r#"{"valid":false,"message":""#), "{verdict}");
    }
    let (status, message) = prove("ivc-minroot", INPUT);
    assert_eq!(status, Status::BadInput as i32);
    assert!(message.contains("input"), "{message}");
}

#[test]
fn proofs_made_at_once_on_several_threads_all_succeed() {
    let threads: Vec<_> = (0..4).map(|_| thread::spawn(|| prove("poseidon", INPUT).0)).collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), Status::Ok as i32);
    }
}

#[test]
fn a_false_statement_is_a_prover_error_and_a_broken_input_is_bad_input() {
    let (status, message) = prove("poseidon", br#"{"private_input":[1,2],"public_input":"3"}"#);
    assert_eq!(status, Status::ProverError as i32);
    assert_eq!(message, "the Poseidon hash of private_input does not equal public_input");
    let (status, message) = prove("poseidon", br#"{"private_input":[-1],"public_input":"3"}"#);
    assert_eq!(status, Status::BadInput as i32);
    assert!(message.contains("integers from 0 to 18446744073709551615"), "{message}");
    assert_eq!(prove("poseidon", b"").0, Status::BadInput as i32);
}

#[test]
fn echo_returns_its_input_byte_for_byte() {
    elastic_enable_test_provers();
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    for input in [
        r#"{"n":12345678901234567890,"a":1,"a":2,"x":1e400}"#,
        " { \"spaces\" :\t1 }\n",
        r#""\ud800 lone surrogate""#,
        "\"ä\u{2028}\"",
        &deep,
    ] {
        let (status, output) = prove("echo", input.as_bytes());
        assert_eq!((status, output.as_str()), (Status::Ok as i32, input));
    }
    for input in [&b"{"[..], b"", b"1 2", b"\"\xff\""] {
        assert_eq!(prove("echo", input).0, Status::BadInput as i32, "{input:?}");
    }
}

#[test]
fn returns_from_clock_when_it_was_called() {
    elastic_enable_test_provers();
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_micros();
    let before = now();
    let (status, output) = prove("clock", b"{}");
    assert_eq!(status, Status::Ok as i32);
    assert!((before..=now()).contains(&output.parse().unwrap()), "{output}");
}

#[test]
fn a_sleep_ends_when_its_cancel_word_is_set() {
    elastic_enable_test_provers();
    let (progress, cancel) = (AtomicU32::new(0), AtomicU32::new(0));
    thread::scope(|scope| {
        let sleep =
            scope.spawn(|| prove_with("sleep", br#"{"ms":30000}"#, progress.as_ptr(), cancel.as_ptr()).0);
        while progress.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
        cancel.store(1, Ordering::Relaxed);
        assert_eq!(sleep.join().unwrap(), Status::Cancelled as i32);
    });
    assert!(progress.load(Ordering::Relaxed) < 1_000_000);
}

#[test]
fn a_proof_cancelled_before_it_starts_is_not_made() {
    let cancel = AtomicU32::new(1);
    let (status, _) = prove_with("poseidon", INPUT, null_mut(), cancel.as_ptr());
    assert_eq!(status, Status::Cancelled as i32);
}

#[test]
fn reports_a_prover_ready_when_it_could_prove_and_an_unknown_one_as_such() {
    let ready = |name: &str| {
        let name = CString::new(name).unwrap();
        // SAFETY: every pointer is valid for the call.
        take(|output, len| unsafe { elastic_prover_ready(name.as_ptr(), output, len) })
    };
    assert_eq!(ready("poseidon"), (Status::Ok as i32, Vec::new()));
    let (status, message) = ready("sha256");
    assert_eq!(status, Status::UnknownProver as i32);
    assert!(String::from_utf8(message).unwrap().contains("\"sha256\""));
    // SAFETY: as above.
    let (status, names) = take(|output, len| unsafe { elastic_prover_names(output, len) });
    assert_eq!(status, Status::Ok as i32);
    assert!(serde_json::from_slice::<Vec<String>>(&names).unwrap().contains(&"poseidon".to_owned()));
}

#[test]
fn arguments_that_cannot_be_used_are_refused() {
    let invalid = Status::InvalidArgument as i32;
    let name = CString::new("poseidon").unwrap();
    let mut bytes = [0_u32; 2];
    let (mut output, mut len) = (null_mut(), 0);
    let misaligned = bytes.as_mut_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
    assert_eq!(prove_with("poseidon", INPUT, misaligned, null()).0, invalid);
    assert_eq!(prove_with("poseidon", INPUT, null_mut(), misaligned).0, invalid);
    // SAFETY: null pointers are allowed everywhere, and the others are valid.
    unsafe {
        assert_eq!(
            elastic_prove(name.as_ptr(), null(), 0, null_mut(), null(), null_mut(), &mut len),
            invalid
        );
        assert_eq!(
            elastic_prove(name.as_ptr(), null(), 0, null_mut(), null(), &mut output, null_mut()),
            invalid
        );
        let no_name = |output, len| elastic_prove(null(), null(), 0, null_mut(), null(), output, len);
        assert_eq!(take(no_name).0, invalid);
        let no_input = |output, len| elastic_prove(name.as_ptr(), null(), 5, null_mut(), null(), output, len);
        assert_eq!(take(no_input).0, invalid);
        let latin1 = CString::new(b"caf\xe9".to_vec()).unwrap();
        let bad_name =
            |output, len| elastic_prove(latin1.as_ptr(), null(), 0, null_mut(), null(), output, len);
        assert_eq!(take(bad_name).0, invalid);
        elastic_free(null_mut(), 7);
    }
}
