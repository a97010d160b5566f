//! A thread per connection, one request per connection, and the responses of the modes.

use std::{
    env,
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{data, json, mode::Mode, number, os, probe, request, resources};

/// How long a sleeping prover goes without looking whether its caller is still there.
const HANG_UP_POLL: Duration = Duration::from_millis(10);

/// Serves until the process ends.
pub fn serve(listener: &TcpListener, mode: Mode) {
    let running = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        let running = Arc::clone(&running);
        // A thread that cannot be had (a limit was reached) costs this connection only.
        let _ = thread::Builder::new().spawn(move || serve_request(stream, mode, &running));
    }
}

fn serve_request(mut stream: TcpStream, mode: Mode, running: &AtomicUsize) -> io::Result<()> {
    let Some(request) = request::read(&stream)? else { return Ok(()) };
    let bad_health = env::var_os("BAD_HEALTHZ").is_some();
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/healthz") if env::var_os("NO_HEALTHZ").is_none() && !bad_health => {
            let busy = running.load(Ordering::Relaxed) > 0;
            respond(&mut stream, "200 OK", format!(r#"{{"status":"ready","busy":{busy}}}"#).as_bytes())
        }
        ("GET", "/healthz") if bad_health => misbehave(stream, mode, &request.body),
        ("POST", "/") => {
            running.fetch_add(1, Ordering::Relaxed);
            let response = misbehave(stream, mode, &request.body);
            running.fetch_sub(1, Ordering::Relaxed);
            response
        }
        _ => problem(&mut stream, "404 Not Found", 404, "there is nothing here"),
    }
}

fn misbehave(mut stream: TcpStream, mode: Mode, input: &[u8]) -> io::Result<()> {
    match mode {
        Mode::Garbage => stream.write_all(b"\x00\xff\x13 this is not HTTP \x00\r\n\r\n"),
        Mode::Nothing => stream.shutdown(Shutdown::Both),
        Mode::Half => {
            stream.write_all(&[&head("200 OK", "application/json", 1000)[..], b"\"half an an"].concat())
        }
        Mode::ServerError => problem(&mut stream, "500 Internal Server Error", 500, "failing as configured"),
        Mode::Later => respond(&mut stream, "202 Accepted", b""),
        Mode::Huge => huge(&mut stream),
        Mode::OutOfMemory | Mode::TakeMemory => resources::take_all_memory(),
        Mode::ChildOutOfMemory => {
            let ended = resources::take_all_memory_in_a_child();
            problem(&mut stream, "500 Internal Server Error", 500, &format!("the child ended: {ended}"))
        }
        Mode::ForkBomb => respond(&mut stream, "200 OK", resources::fork_until_refused().as_bytes()),
        Mode::LogFlood => respond(&mut stream, "200 OK", resources::flood_logs().as_bytes()),
        Mode::FillTmp => respond(&mut stream, "200 OK", resources::fill_tmp().as_bytes()),
        Mode::Hang => loop {
            thread::park();
        },
        Mode::Probe => respond(&mut stream, "200 OK", probe::report(input).as_bytes()),
        Mode::Data => respond(&mut stream, "200 OK", data::report().as_bytes()),
        Mode::Verify => respond(&mut stream, "200 OK", verdict(input)),
        Mode::Sleep => sleep(&mut stream, input),
        Mode::Crash => os::die_of_segmentation_fault(),
        Mode::Echo | Mode::LateListen | Mode::Exit | Mode::NeverListen => {
            respond(&mut stream, "200 OK", input)
        }
    }
}

/// `{"input":X,"result":Y}` is accepted when X and Y are the same bytes.
fn verdict(posted: &[u8]) -> &'static [u8] {
    let inner = posted.strip_prefix(br#"{"input":"#).and_then(|rest| rest.strip_suffix(b"}"));
    let Some(inner) = inner else { return br#"{"valid":false,"message":"not an input and a result"}"# };
    // Both are as long as each other, with this between them.
    const BETWEEN: &[u8] = br#","result":"#;
    let length = inner.len().saturating_sub(BETWEEN.len()) / 2;
    let same = inner[length..].strip_prefix(BETWEEN) == Some(&inner[..length]);
    if same { br#"{"valid":true}"# } else { br#"{"valid":false,"message":"the result is not the input"}"# }
}

fn head(status: &str, kind: &str, length: u64) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )
    .into_bytes()
}

fn respond(stream: &mut TcpStream, status: &str, body: &[u8]) -> io::Result<()> {
    stream.write_all(&[&head(status, "application/json", body.len() as u64)[..], body].concat())
}

fn problem(stream: &mut TcpStream, status: &str, code: u16, detail: &str) -> io::Result<()> {
    let body = format!(
        r#"{{"type":"about:blank","title":"{}","status":{code},"detail":"{detail}","code":"misbehaving"}}"#,
        &status[4..]
    );
    stream.write_all(
        &[&head(status, "application/problem+json", body.len() as u64)[..], body.as_bytes()].concat(),
    )
}

/// A JSON string of `HUGE_BYTES` bytes, quotes included; or one that never ends.
fn huge(stream: &mut TcpStream) -> io::Result<()> {
    let block = [b'a'; 64 * 1024];
    let wanted = number("HUGE_BYTES", 0);
    if wanted == 0 {
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n\"")?;
        loop {
            stream.write_all(&block)?;
        }
    }
    stream.write_all(&head("200 OK", "application/json", wanted))?;
    stream.write_all(b"\"")?;
    let mut left = wanted.saturating_sub(2);
    while left > 0 {
        let count = left.min(block.len() as u64);
        stream.write_all(&block[..usize::try_from(count).unwrap_or(block.len())])?;
        left -= count;
    }
    stream.write_all(b"\"")
}

fn sleep(stream: &mut TcpStream, input: &[u8]) -> io::Result<()> {
    let numbers = json::numbers(input);
    let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
    let (start, total) = (Instant::now(), Duration::from_millis(number(0)));
    let (mut written, lines) = (0, number(1));
    stream.set_read_timeout(Some(HANG_UP_POLL))?;
    loop {
        let slept = start.elapsed().min(total);
        let due = if slept == total { lines } else { lines * slept.as_millis() as u64 / number(0) };
        written = resources::write_lines(written, due);
        if slept == total {
            break;
        }
        if matches!(stream.read(&mut [0; 1]), Ok(0)) {
            eprintln!("misbehave: the caller hung up, so the sleep ends");
            return Ok(());
        }
    }
    respond(stream, "200 OK", br#""slept""#)
}
