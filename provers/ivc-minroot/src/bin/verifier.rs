//! `ivc-minroot-verify`: checks a proof on the command line. It trusts nothing that a prover says.

use std::io::Read as _;
use std::process::ExitCode;

use clap::Parser;
use ivc_minroot::{Fr, Prover, Rejection, format_decimal, parse_decimal};
use serde_json::json;

/// Exit status for what cannot be carried out: a bad argument, an unreadable file.
const USAGE: u8 = 2;
/// What is read from a file or from standard input.
const TEXT_BYTES_MAX: u64 = 128 * 1024;

/// Check a proof of MinRoot: exit status 0 if it is accepted, 1 if it is rejected.
#[derive(Parser)]
#[command(
    name = "ivc-minroot-verify",
    version,
    after_help = "Examples:\n  ivc-minroot-verify --steps 3 --z0 0 1 --proof @proof.txt\n  elastic task info TASK_ID -d --json | jq -r .result | ivc-minroot-verify --steps 3 --z0 0 1 --proof - --json"
)]
struct Cli {
    /// How many steps were made, of 1024 iterations each.
    #[arg(long, allow_negative_numbers = true)]
    steps: u64,
    /// The two elements that they started from, in decimal.
    #[arg(long, required = true, num_args = 2, allow_negative_numbers = true, value_names = ["X", "Y"])]
    z0: Vec<String>,
    /// The proof text, or @FILE, or - for standard input (one final line break is taken off of both).
    #[arg(long)]
    proof: String,
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
    let prover = Prover::global().map_err(|error| error.to_string())?;
    match prover.verify(cli.steps, &start, &text) {
        Ok(end) => {
            let [x, y] = end.each_ref().map(format_decimal);
            if cli.json {
                println!("{}", json!({ "accepted": true, "z": [x, y] }));
            } else {
                println!("accepted: the steps end at {x} {y}");
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(rejection @ Rejection::Steps(_)) => Err(rejection.to_string()),
        Err(Rejection::Encoding(_)) if std::path::Path::new(&cli.proof).is_file() => {
            Err(format!("--proof takes the text itself; that of a file is --proof @{}", cli.proof))
        }
        Err(rejection) => {
            if cli.json {
                println!("{}", json!({ "accepted": false, "reason": rejection.to_string() }));
            } else {
                println!("rejected: {rejection}");
            }
            Ok(ExitCode::FAILURE)
        }
    }
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
