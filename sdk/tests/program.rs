//! The real program, started as a container starts it: signals, environment, logs.
#![allow(clippy::unwrap_used)]

use std::{
    io::{BufRead, BufReader, Lines, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, ChildStderr, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::Value;

/// The example `countdown`. Plain `cargo test` builds it first; `cargo test --test program` does not, and would use
/// an old one.
fn program() -> Command {
    let test = std::env::current_exe().unwrap();
    let folder: PathBuf = test.parent().unwrap().parent().unwrap().join("examples");
    let mut command = Command::new(folder.join("countdown"));
    command.env("PORT", "0").stderr(Stdio::piped());
    command
}

/// After so long a program under test is killed, so that a test which waits for its log fails.
const PATIENCE: Duration = Duration::from_secs(30);

struct Program {
    _watchdog: mpsc::Sender<()>,
    child: Child,
    log: Lines<BufReader<ChildStderr>>,
    port: u16,
}

impl Program {
    fn start() -> Self {
        let mut child = program().spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let first: Value = serde_json::from_str(&log.next().unwrap().unwrap()).unwrap();
        let port = first["port"].as_u64().and_then(|port| port.try_into().ok()).unwrap();
        Self { _watchdog: watchdog(child.id()), child, log, port }
    }

    fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    fn count_down(&self, input: &str) -> TcpStream {
        let envelope = "ce-specversion: 1.0\r\nce-id: task-7\r\nce-source: test\r\nce-type: task\r\n";
        let length = input.len();
        self.send(&format!("POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{envelope}content-length: {length}\r\n\r\n{input}"))
    }

    /// The next log line that has this message.
    fn log_line(&mut self, message: &str) -> Value {
        let mut lines = self.log.by_ref().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        lines.find(|line| line["message"].as_str().is_some_and(|text| text.contains(message))).unwrap()
    }

    fn signal(&self, name: &str) {
        // The shell's own kill: a small machine has no program of that name.
        let kill = format!("kill {name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills the process when time is up, unless the sender has been dropped by then.
fn watchdog(process: u32) -> mpsc::Sender<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        if receiver.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-KILL", &process.to_string()]).status();
        }
    });
    sender
}

#[test]
fn a_proof_in_flight_survives_the_signal_to_terminate_and_the_program_exits_with_zero() {
    for signal in ["-TERM", "-INT"] {
        let mut program = Program::start();
        let mut response = program.count_down(r#"{"from":10,"ms_each":30}"#);
        program.log_line("task received");
        program.signal(signal);
        program.log_line("draining");
        let mut text = String::new();
        response.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200 OK") && text.ends_with(r#"{"counted":10}"#), "{text}");
        assert_eq!(program.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_second_signal_does_not_wait_for_the_proof() {
    let mut program = Program::start();
    let _unanswered = program.count_down(r#"{"from":1000000,"ms_each":1000}"#);
    program.log_line("task received");
    program.signal("-TERM");
    program.log_line("draining");
    program.signal("-TERM");
    assert_eq!(program.child.wait().unwrap().code(), Some(1));
}

#[test]
fn the_level_of_the_log_is_elastic_log_or_else_rust_log() {
    // A program that ends at once, after one line of the level `error`, or none.
    let lines = |variables: &[(&str, &str)]| {
        let mut program = program();
        program.env_remove("ELASTIC_LOG").env_remove("RUST_LOG");
        let taken = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
        program.env("PORT", taken.local_addr().unwrap().port().to_string());
        let output = program.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stderr).unwrap().matches(r#""level":"ERROR""#).count()
    };
    assert_eq!(lines(&[]), 1);
    assert_eq!(lines(&[("RUST_LOG", "off")]), 0);
    assert_eq!(lines(&[("RUST_LOG", "off"), ("ELASTIC_LOG", "error")]), 1);
}

#[test]
fn a_port_in_use_is_reported_in_one_sentence_with_what_to_do() {
    let taken = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let sentence =
        format!("cannot listen on port {port}: another program listens there; set PORT to another port");
    let end = |log: &str| {
        let output = program().env("PORT", port.to_string()).env("ELASTIC_LOG", log).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, log) = end("info");
    let line: Value = serde_json::from_str(&log).unwrap();
    assert_eq!((code, line["message"].as_str()), (Some(1), Some(sentence.as_str())));
    assert_eq!(end("off"), (Some(1), format!("error: {sentence}\n")));
    let at_a_terminal = Command::new("script")
        .args(["-qec", program().get_program().to_str().unwrap(), "/dev/null"])
        .env("PORT", port.to_string())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(at_a_terminal.status.code(), Some(1));
    assert_eq!(String::from_utf8(at_a_terminal.stdout).unwrap(), format!("error: {sentence}\r\n"));
}

#[test]
fn at_a_terminal_the_line_to_try_it_stands_alone_with_an_example() {
    let countdown = program();
    let mut terminal = Command::new("script")
        .args(["-qec", countdown.get_program().to_str().unwrap(), "/dev/null"])
        .env("PORT", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let _watchdog = watchdog(terminal.id());
    let lines = BufReader::new(terminal.stdout.take().unwrap()).lines();
    let line = lines.map_while(Result::ok).find(|line| line.starts_with("curl ")).unwrap();
    assert!(line.contains(r#"--data '{"from":3,"ms_each":1000}' http://localhost:"#), "{line}");
    terminal.kill().unwrap();
    terminal.wait().unwrap();
}

#[test]
fn every_log_line_of_a_task_carries_its_id() {
    let mut program = Program::start();
    assert!(program.log_line("try: curl")["message"].as_str().unwrap().contains("-H 'ce-id: 1'"));
    let mut text = String::new();
    program.count_down(r#"{"from":0,"ms_each":0}"#).read_to_string(&mut text).unwrap();
    assert!(text.contains("there is nothing to count down from 0"), "{text}");
    for message in ["task received", "task failed: there is nothing to count down from 0"] {
        assert_eq!(program.log_line(message)["span"]["ce-id"], "task-7");
    }
}

#[test]
fn a_setting_that_is_not_a_number_ends_the_program_with_a_sentence() {
    for (variable, value) in [
        ("PORT", "eighty"),
        ("PORT", "+8080"),
        ("ELASTIC_INPUT_BYTES_MAX", "10MB"),
        ("ELASTIC_QUEUE_MAX", "-1"),
        ("ELASTIC_QUEUE_MAX", "02"),
        ("ELASTIC_QUEUE_MAX", " 2"),
    ] {
        let output = program().env(variable, value).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(variable) && text.contains("not a number in its range"), "{text}");
    }
}
