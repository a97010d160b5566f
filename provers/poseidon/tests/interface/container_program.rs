//! The container program over HTTP.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
};

use crate::support::{HASH_OF_1_2, prover};
use serde_json::Value;

/// The program, ended with the test.
struct Program {
    child: Child,
    port: u16,
}

impl Program {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_elastic"))
            .envs(environment.iter().copied())
            .env("PORT", "0")
            .env_remove("ELASTIC_SRS_PATH")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        // From here on nobody reads its stderr: that must not matter.
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        let port = line["port"].as_u64().and_then(|port| port.try_into().ok()).unwrap();
        Self { child, port }
    }

    fn prove(&self, input: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let envelope = "ce-specversion: 1.0\r\nce-id: 1\r\nce-source: test\r\nce-type: task\r\n";
        let length = input.len();
        write!(stream, "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{envelope}content-length: {length}\r\n\r\n{input}")
            .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn responds_to_a_task_with_a_proof_text_that_verifies() {
    let program = Program::start();
    let (status, body) =
        program.prove(&format!(r#"{{"private_input":[1,2],"public_input":"{HASH_OF_1_2}"}}"#));
    assert_eq!(status, "HTTP/1.1 200 OK");
    let proof: String = serde_json::from_str(&body).unwrap();
    prover().verify(2, HASH_OF_1_2, &proof).unwrap();
}

#[test]
fn distinguishes_a_false_statement_from_a_broken_input() {
    let program = Program::start();
    let (status, body) = program.prove(r#"{"private_input":[1,2],"public_input":"3"}"#);
    assert_eq!(status, "HTTP/1.1 500 Internal Server Error");
    let problem: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(problem["code"], "prover_error");
    assert_eq!(problem["detail"], "the Poseidon hash of private_input does not equal public_input");
    let (status, body) = program.prove(r#"{"private_input":[],"public_input":"3"}"#);
    assert_eq!(status, "HTTP/1.1 422 Unprocessable Entity");
    assert!(body.contains("private_input must hold 1 to 16 integers"), "{body}");
}

#[test]
fn proves_with_a_maximum_degree_in_the_environment_that_is_no_number() {
    let program = Program::start_with(&[("MAX_DEGREE", "x")]);
    let (status, body) =
        program.prove(&format!(r#"{{"private_input":[1,2],"public_input":"{HASH_OF_1_2}"}}"#));
    assert_eq!(status, "HTTP/1.1 200 OK", "{body}");
}
