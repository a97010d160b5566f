//! `poseidon`: prove, verify and hash on the command line. The verifier trusts nothing that a prover says.

use std::{io::Read, process::ExitCode};

use clap::{Parser, Subcommand};
use elastic_sdk::describe_input_error;
use poseidon::{Fr, INPUTS_MAX, Input, Prover, Rejection, format_decimal, hash};
use serde_json::json;

/// Exit status for what cannot be carried out: a bad argument, an unreadable file.
const USAGE: u8 = 2;
/// What is read from a file or from standard input.
const TEXT_BYTES_MAX: u64 = 64 * 1024;

/// Poseidon proofs: "I know numbers whose Poseidon hash is this public value".
#[derive(Parser)]
#[command(name = "poseidon", version)]
struct Cli {
    /// Print one line of JSON instead of words.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the Poseidon hash of 1 to 16 integers, in decimal.
    Hash {
        /// Integers from 0 to 18446744073709551615.
        #[arg(required = true, num_args = 1..=INPUTS_MAX)]
        integers: Vec<u64>,
    },
    /// Make a proof and print its text.
    Prove {
        /// {"private_input":[1,2],"public_input":"decimal digits"}, or @FILE, or - for standard input.
        #[arg(long)]
        input: String,
    },
    /// Check a proof: exit status 0 if it is accepted, 1 if it is rejected.
    Verify {
        /// How many integers were hashed, 1 to 16.
        #[arg(long)]
        inputs: usize,
        /// Their hash, in decimal.
        #[arg(long)]
        public_input: String,
        /// The proof text, or @FILE, or - for standard input (one final line break is taken off of both).
        #[arg(long)]
        proof: String,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Hash { integers } => Ok(print_hash(cli.json, integers)),
        Command::Prove { input } => prove(cli.json, input),
        Command::Verify { inputs, public_input, proof } => verify(cli.json, *inputs, public_input, proof),
    };
    done.unwrap_or_else(|problem| {
        eprintln!("poseidon: {problem}");
        ExitCode::from(USAGE)
    })
}

fn print_hash(as_json: bool, integers: &[u64]) -> ExitCode {
    let elements: Vec<Fr> = integers.iter().map(|&x| Fr::from(x)).collect();
    let text = format_decimal(&hash(&elements));
    if as_json {
        println!("{}", json!({ "hash": text }));
    } else {
        println!("{text}");
    }
    ExitCode::SUCCESS
}

fn prove(as_json: bool, input: &str) -> Result<ExitCode, String> {
    let input: Input =
        serde_json::from_str(&argument_text(input)?).map_err(|error| describe_input_error(&error))?;
    match prover()?.prove(&input) {
        Ok(proof) => {
            if as_json {
                println!(
                    "{}",
                    json!({ "proof": proof, "inputs": input.inputs(), "public_input": input.public_input() })
                );
            } else {
                println!("{proof}");
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("poseidon: {error}");
            Ok(ExitCode::FAILURE)
        }
    }
}

fn verify(as_json: bool, inputs: usize, public_input: &str, proof: &str) -> Result<ExitCode, String> {
    let text = argument_text(proof)?;
    let verdict = prover()?.verify(inputs, public_input, &text);
    match (&verdict, as_json) {
        (Ok(()), false) => println!("accepted"),
        (Ok(()), true) => println!("{}", json!({ "accepted": true })),
        (Err(rejection), false) => println!("rejected: {rejection}"),
        (Err(rejection), true) => {
            println!("{}", json!({ "accepted": false, "reason": rejection.to_string() }));
        }
    }
    match verdict {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // A number of inputs that no circuit has is an error of the caller, not of the proof.
        Err(Rejection::Inputs(_)) => Ok(ExitCode::from(USAGE)),
        Err(_) => Ok(ExitCode::FAILURE),
    }
}

fn prover() -> Result<&'static Prover, String> {
    Prover::global().map_err(|error| error.to_string())
}

/// An argument's text: itself, or what `@FILE` or `-` holds, less one line break that an editor put at its end.
fn argument_text(argument: &str) -> Result<String, String> {
    let mut text = match (argument, argument.strip_prefix('@')) {
        ("-", _) => read_bounded(std::io::stdin()).map_err(|error| format!("standard input: {error}"))?,
        (_, Some(path)) => {
            std::fs::File::open(path).and_then(read_bounded).map_err(|error| format!("{path}: {error}"))?
        }
        _ => return Ok(argument.to_owned()),
    };
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}

/// No input and no proof is nearly as long; what has no end must not fill the memory.
fn read_bounded(source: impl Read) -> std::io::Result<String> {
    let mut text = String::new();
    source.take(TEXT_BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > TEXT_BYTES_MAX {
        return Err(std::io::Error::other(format!("it is longer than {TEXT_BYTES_MAX} bytes")));
    }
    Ok(text)
}
