//! The modes that can be tried without a container around them.
#![allow(clippy::unwrap_used)]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    os::unix::process::ExitStatusExt,
    process::{Child, ChildStderr, Command, Stdio},
};

/// A running test prover, ended with the test.
struct Prover {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
}

impl Prover {
    fn start(mode: &str, environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_misbehave"))
            .env("MISBEHAVE", mode)
            .env("PORT", "0")
            .envs(environment.iter().copied())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let port = line.trim().rsplit_once(':').unwrap().1.to_owned();
        Self { child, stderr, address: format!("127.0.0.1:{port}") }
    }

    fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    fn exchange(&self, request: &str) -> Vec<u8> {
        let mut response = Vec::new();
        self.send(request).read_to_end(&mut response).unwrap();
        response
    }

    /// Posts a body and returns the response's status line and body.
    fn post(&self, body: &str) -> (String, String) {
        let response = String::from_utf8(self.exchange(&post(body))).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn post(body: &str) -> String {
    format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

const OK: &str = "HTTP/1.1 200 OK";

#[test]
fn echo_returns_the_body_byte_for_byte_also_when_it_comes_in_chunks() {
    let prover = Prover::start("echo", &[]);
    let body = r#"{"n":12345678901234567890,"a":1,"a":2,"x":1e400}"#;
    assert_eq!(prover.post(body), (OK.to_owned(), body.to_owned()));
    let chunked = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n";
    assert!(prover.exchange(chunked).ends_with(b"\r\n\r\n[1,2]"));
}

#[test]
fn health_is_good_unless_the_environment_says_otherwise() {
    let get = "GET /healthz HTTP/1.1\r\n\r\n";
    let well = String::from_utf8(Prover::start("echo", &[]).exchange(get)).unwrap();
    assert!(well.ends_with(r#"{"status":"ready","busy":false}"#), "{well}");
    let missing = Prover::start("echo", &[("NO_HEALTHZ", "1")]).exchange(get);
    assert!(missing.starts_with(b"HTTP/1.1 404"));
    let garbage = Prover::start("garbage", &[("BAD_HEALTHZ", "1")]).exchange(get);
    assert!(garbage.starts_with(b"\x00\xff"));
}

#[test]
fn broken_responses_are_broken_as_named() {
    assert!(Prover::start("garbage", &[]).exchange(&post("1")).starts_with(b"\x00\xff"));
    assert_eq!(Prover::start("nothing", &[]).exchange(&post("1")), b"");
    let half = String::from_utf8(Prover::start("half", &[]).exchange(&post("1"))).unwrap();
    assert!(half.contains("content-length: 1000") && half.ends_with("\"half an an"));
    let (status, body) = Prover::start("500", &[]).post("1");
    assert_eq!(status, "HTTP/1.1 500 Internal Server Error");
    assert!(body.contains("\"detail\":\"configured to fail\""));
    assert_eq!(Prover::start("202", &[]).post("1"), ("HTTP/1.1 202 Accepted".to_owned(), String::new()));
    let (status, body) = Prover::start("huge", &[("HUGE_BYTES", "100000")]).post("1");
    assert_eq!((status.as_str(), body.len()), (OK, 100_000));
}

#[test]
fn an_endless_result_continues_until_the_caller_stops_reading() {
    let prover = Prover::start("huge", &[]);
    let mut response = Vec::new();
    prover.send(&post("1")).take(1 << 20).read_to_end(&mut response).unwrap();
    assert_eq!(response.len(), 1 << 20);
}

#[test]
fn a_sleep_ends_when_the_caller_hangs_up() {
    let mut prover = Prover::start("sleep", &[]);
    assert_eq!(prover.post(r#"{"ms":1}"#), (OK.to_owned(), "\"slept\"".to_owned()));
    prover.send(&post(r#"{"ms":3600000}"#)).shutdown(Shutdown::Both).unwrap();
    let mut line = String::new();
    prover.stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "misbehave: the caller hung up, so the sleep ends\n");
}

#[test]
fn resources_are_taken_up_to_their_limit_and_counted() {
    let (_, forks) = Prover::start("fork-bomb", &[("FORKS_MAX", "5")]).post("1");
    assert_eq!(forks, r#"{"forked":5,"errno":null}"#);
    let (_, flood) = Prover::start("log-flood", &[("LOG_FLOOD_BYTES", "1000")]).post("1");
    assert_eq!(flood, r#"{"bytes":1020}"#);
}

#[test]
fn a_crash_is_a_segmentation_fault_and_an_exit_has_code_three() {
    let mut prover = Prover::start("crash", &[]);
    let mut stream = prover.send(&post("1"));
    let _ = stream.read(&mut [0; 1]);
    assert_eq!(prover.child.wait().unwrap().signal(), Some(11));
    let output = Command::new(env!("CARGO_BIN_EXE_misbehave")).env("MISBEHAVE", "exit").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(output.stdout, b"misbehave: exiting at once, as configured\n");
    let unknown = Command::new(env!("CARGO_BIN_EXE_misbehave")).env("MISBEHAVE", "well").output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn a_probe_reports_identity_limits_and_what_it_can_reach() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (_, report) = Prover::start("probe", &[]).post(&format!(r#"{{"connect":["{address}"]}}"#));
    for expected in [
        "\"CapEff\":\"",
        "\"NoNewPrivs\":\"",
        "\"writable\":{\"/\":",
        "\"Max open files\":[\"",
        "\"interfaces\":[",
        "\"env\":[",
        "\"MISBEHAVE\"",
        &format!("\"{address}\":\"connected\""),
    ] {
        assert!(report.contains(expected), "{expected} is in {report}");
    }
}

#[test]
fn a_verifier_accepts_what_echoes_its_input_and_nothing_else() {
    let verifier = Prover::start("crash", &[("ELASTIC_ROLE", "verifier")]);
    let verdict = |body: &str| verifier.post(body).1;
    assert_eq!(verdict(r#"{"input":{"a":1},"result":{"a":1}}"#), r#"{"valid":true}"#);
    for other in [r#"{"input":{"a":1},"result":{"a":2}}"#, r#"{"input":1,"result":"slept"}"#, "{}", ""] {
        assert!(verdict(other).starts_with(r#"{"valid":false,"message":""#), "{other}");
    }
}

#[test]
fn data_reports_every_file_below_its_folder() {
    let folder = std::env::temp_dir().join(format!("misbehave-data-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("srs")).unwrap();
    std::fs::write(folder.join("srs/k20"), "twenty").unwrap();
    let prover = Prover::start("data", &[("DATA", folder.to_str().unwrap())]);
    let (status, report) = prover.post("{}");
    assert_eq!(status, OK);
    assert!(report.contains(r#""srs/k20":{"text":"twenty","bytes":6,"writable":true}"#), "{report}");
    assert!(report.ends_with(r#""writable":true}"#), "{report}");
    std::fs::remove_dir_all(folder).unwrap();
}
