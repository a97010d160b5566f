//! What is printed: an object a line, with one key each. Nothing that was measured is lost if a peer ends the process.

use std::{error::Error, fs, io::Write};

use serde::Serialize;
use serde_json::{Value, json};

fn print(key: &str, value: impl Serialize) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", json!({ key: value }))?;
    Ok(out.flush()?)
}

/// What the library says of its context on the GPU.
pub(crate) fn library(description: &str) -> Result<(), Box<dyn Error>> {
    print("library", serde_json::from_str::<Value>(description)?)
}

/// The machine other than the GPU.
pub(crate) fn machine() -> Result<(), Box<dyn Error>> {
    let field = |path: &str, key: &str| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        line.split_once(':').map_or("unknown", |(_, value)| value.trim()).to_owned()
    };
    let kibibytes = field("/proc/meminfo", "MemTotal").trim_end_matches(" kB").parse::<u64>();
    print(
        "machine",
        json!({
            "cpu": field("/proc/cpuinfo", "model name"),
            "cores": std::thread::available_parallelism().map_or(0, usize::from),
            "memory_bytes": kibibytes.unwrap_or_default() * 1024,
        }),
    )
}

/// One of the rates of `rates.rs`.
pub(crate) fn rate(name: &str, unit: &str, value: f64) -> Result<(), Box<dyn Error>> {
    print("rate", json!({ "name": name, "unit": unit, "value": value }))
}

/// A row.
pub(crate) fn row(row: zkaccel_measure::Measured) -> Result<(), Box<dyn Error>> {
    print("row", row)
}

/// What was to be measured and was not, and why.
pub(crate) fn left_out(what: &str) {
    eprintln!("LEFT OUT: {what}");
    if let Err(error) = print("left_out", what) {
        eprintln!("zkaccel-gpu-bench: {error}");
    }
}
