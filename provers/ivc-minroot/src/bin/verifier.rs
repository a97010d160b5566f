//! `ivc-minroot-verify`: checks a proof on the command line. It trusts nothing that a prover says.

use std::io::Read as _;
use std::process::ExitCode;

use clap::Parser;
use elastic_sdk::parse_integer;
use ivc_minroot::{Fr, Prover, Rejection, Setup, format_decimal, parse_decimal};
use serde_json::json;

/// Exit status of a proof that is rejected.
const REJECTED: u8 = 1;
/// Exit status for what cannot be carried out: a bad argument, an unreadable file, parameters that show nothing.
const USAGE: u8 = 2;
/// Why a proof that verifies is not accepted.
const ONLY_DEVELOPMENT: &str = "the proof verifies, but under the development parameters, where anyone can forge proofs: \
     set ELASTIC_SRS_PATH to the powers of tau of a ceremony, or pass --allow-development";
/// What is read from a file or from standard input.
const TEXT_BYTES_MAX: u64 = 128 * 1024;

/// Check a proof of MinRoot: exit status 0 if it is accepted, 1 if it is rejected, 2 if it could not be carried out or only
/// the development parameters accept it.
#[derive(Parser)]
#[command(
    name = "ivc-minroot-verify",
    version,
    after_help = "Examples:\n  ELASTIC_SRS_PATH=powers.ptau ivc-minroot-verify --steps 3 --z0 0 1 --proof @proof.txt\n  elastic task info TASK_ID -d --json | jq -r .result | ivc-minroot-verify --steps 3 --z0 0 1 --proof - --json --allow-development"
)]
struct Cli {
    /// How many steps were made, of 1024 iterations each.
    #[arg(long, allow_negative_numbers = true, value_parser = parse_integer::<u64>)]
    steps: u64,
    /// The two elements that they started from, in decimal.
    #[arg(long, required = true, num_args = 2, allow_negative_numbers = true, value_names = ["X", "Y"])]
    z0: Vec<String>,
    /// The proof text, or @FILE, or - for standard input (one final line break is taken off of both).
    #[arg(long)]
    proof: String,
    /// Accept under the development parameters too, which are used where ELASTIC_SRS_PATH is not set: their secret is
    /// public, so anyone can forge proofs.
    #[arg(long)]
    allow_development: bool,
    /// Print one line of JSON instead of words.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    verify(&Cli::parse()).unwrap_or_else(|problem| {
        eprintln!("ivc-minroot-verify: {problem}");
        ExitCode::from(USAGE)
    })
}

fn verify(cli: &Cli) -> Result<ExitCode, String> {
    let start = start(&cli.z0)?;
    let text = argument_text(&cli.proof)?;
    let prover = Setup::from_env().map(Prover::new).map_err(|error| error.to_string())?;
    let parameters = if prover.is_development() { "development" } else { "powers-of-tau" };
    let (reason, status) = match prover.verify(cli.steps, &start, &text) {
        Ok(_) if prover.is_development() && !cli.allow_development => (ONLY_DEVELOPMENT.to_owned(), USAGE),
        Ok(end) => {
            let [x, y] = end.each_ref().map(format_decimal);
            if cli.json {
                println!("{}", json!({ "accepted": true, "parameters": parameters, "z": [x, y] }));
            } else {
                println!("accepted: the steps end at {x} {y}");
            }
            return Ok(ExitCode::SUCCESS);
        }
        Err(rejection @ Rejection::Steps(_)) => return Err(rejection.to_string()),
        Err(Rejection::Encoding(_)) if std::path::Path::new(&cli.proof).is_file() => {
            return Err(format!("--proof takes the text itself; that of a file is --proof @{}", cli.proof));
        }
        Err(rejection) => (rejection.to_string(), REJECTED),
    };
    if cli.json {
        println!("{}", json!({ "accepted": false, "parameters": parameters, "reason": reason }));
    } else {
        println!("rejected: {reason}");
    }
    Ok(ExitCode::from(status))
}

fn start(z0: &[String]) -> Result<[Fr; 2], String> {
    let elements = z0.iter().map(|text| parse_decimal(text).map_err(|what| format!("--z0 {text}: {what}")));
    let elements = elements.collect::<Result<Vec<_>, _>>()?;
    elements.try_into().map_err(|_| "--z0 takes two elements, such as --z0 0 1".to_owned())
}

/// The argument itself, or what it refers to.
fn argument_text(argument: &str) -> Result<String, String> {
    let read = |source: &mut dyn std::io::Read| -> Result<String, String> {
        let mut text = String::new();
        source.take(TEXT_BYTES_MAX + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
        if text.len() as u64 > TEXT_BYTES_MAX {
            return Err(format!("it is longer than {TEXT_BYTES_MAX} bytes"));
        }
        Ok(text.strip_suffix('\n').map_or(text.clone(), str::to_owned))
    };
    if argument == "-" {
        return read(&mut std::io::stdin().lock()).map_err(|what| format!("standard input: {what}"));
    }
    let Some(path) = argument.strip_prefix('@') else { return Ok(argument.to_owned()) };
    let file = std::fs::File::open(path).map_err(|error| error.to_string());
    file.and_then(|mut file| read(&mut file)).map_err(|what| format!("{path}: {what}"))
}
