//! Provers that prove nothing: they let tests and benchmarks see an agent from the prover's side.

use std::{
    hint::black_box,
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, de::IgnoredAny};

use crate::{
    control::Control,
    failure::{Failure, Status},
    provers::{Builtin, bad_input},
};

static ENABLED: AtomicBool = AtomicBool::new(false);

const TEST_PROVERS: [Builtin; 5] = [
    Builtin { name: "noop", prove: noop, prepare: nothing },
    Builtin { name: "clock", prove: clock, prepare: nothing },
    Builtin { name: "echo", prove: echo, prepare: nothing },
    Builtin { name: "sleep", prove: sleep, prepare: nothing },
    Builtin { name: "crash", prove: crash, prepare: nothing },
];

/// How long `sleep` goes without looking at the cancel word.
const CANCEL_POLL: Duration = Duration::from_millis(5);

/// From now on the test provers exist in this process.
pub(crate) fn enable() {
    ENABLED.store(true, Ordering::Relaxed);
}

pub(crate) fn enabled() -> impl Iterator<Item = &'static Builtin> {
    const PROVERS: &[Builtin] = &TEST_PROVERS;
    PROVERS.iter().filter(|_| ENABLED.load(Ordering::Relaxed))
}

fn nothing() -> Result<(), Failure> {
    Ok(())
}

/// Returns `"ok"` whatever it is given, and does nothing else: the cost of a call is the caller's own.
fn noop(_: &[u8], _: Control<'_>) -> Result<Vec<u8>, Failure> {
    Ok(br#""ok""#.to_vec())
}

/// Returns when it was called, in microseconds since the Unix epoch, and does nothing else: whoever knows when the task
/// was created learns from the result how long it took to get here.
fn clock(_: &[u8], _: Control<'_>) -> Result<Vec<u8>, Failure> {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(since_epoch.as_micros().to_string().into_bytes())
}

/// Returns its input byte for byte. It must be JSON, of any depth, with numbers of any size.
fn echo(input: &[u8], _: Control<'_>) -> Result<Vec<u8>, Failure> {
    let text = std::str::from_utf8(input)
        .map_err(|error| Failure::new(Status::BadInput, format!("the input is not UTF-8: {error}")))?;
    serde_json::from_str::<IgnoredAny>(text).map_err(bad_input)?;
    Ok(input.to_vec())
}

#[derive(Deserialize)]
struct Sleep {
    ms: u64,
    #[serde(default)]
    lines: u64,
}

/// `{"ms": N, "lines": M}`: sleeps so long, reporting its progress and writing so many lines (by default none) evenly
/// to standard output, unless cancelled; returns the milliseconds slept.
fn sleep(input: &[u8], control: Control<'_>) -> Result<Vec<u8>, Failure> {
    let Sleep { ms, lines } = serde_json::from_slice(input).map_err(bad_input)?;
    let (start, total) = (Instant::now(), Duration::from_millis(ms));
    let mut written = 0;
    loop {
        if control.cancelled() {
            return Err(Failure::new(Status::Cancelled, "the sleep was cancelled"));
        }
        let slept = start.elapsed();
        let due = if slept >= total { lines } else { lines * slept.as_millis() as u64 / ms };
        written = write_lines(written, due);
        if slept >= total {
            control.progress(1.0);
            return Ok(format!(r#"{{"slept_ms":{}}}"#, slept.as_millis()).into_bytes());
        }
        control.progress(slept.as_secs_f64() / total.as_secs_f64());
        thread::sleep(CANCEL_POLL.min(total - slept));
    }
}

/// Writes the lines after `from` up to `to`, and returns `to`. Nobody may be there to read them.
fn write_lines(from: u64, to: u64) -> u64 {
    let mut out = std::io::stdout().lock();
    for line in from..to {
        let _ = writeln!(out, "line {}", line + 1);
    }
    let _ = out.flush();
    to
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum How {
    Segv,
    Abort,
    Panic,
    Stack,
}

#[derive(Deserialize)]
struct Crash {
    #[serde(default = "segv")]
    how: How,
}

fn segv() -> How {
    How::Segv
}

/// `{"how": "segv" | "abort" | "panic" | "stack"}`, by default `segv`. Only a panic comes back, as a status.
fn crash(input: &[u8], _: Control<'_>) -> Result<Vec<u8>, Failure> {
    let Crash { how } = serde_json::from_slice(input).map_err(bad_input)?;
    match how {
        How::Segv => write_to_null(),
        How::Abort => std::process::abort(),
        How::Panic => panic!("the crash prover panics as requested"),
        How::Stack => Ok(overflow(0).to_string().into_bytes()),
    }
}

#[allow(unsafe_code)]
fn write_to_null() -> ! {
    let nowhere: *mut u8 = black_box(std::ptr::null_mut());
    // SAFETY: none. The write faults, which is what this prover is for; the volatile write keeps it there.
    unsafe { nowhere.write_volatile(1) };
    std::process::abort()
}

/// Recursion without end: each call keeps a page of stack.
fn overflow(depth: u64) -> u64 {
    let page = black_box([depth; 512]);
    if depth == u64::MAX { 0 } else { overflow(depth + 1) + page[0] }
}
