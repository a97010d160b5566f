//! `poseidon`: prove, verify and hash on the command line. The verifier trusts nothing that a prover says.

use std::{io::Read, process::ExitCode};

use clap::{Parser, Subcommand};
use elastic_sdk::{describe_input_error, parse_integer};
use poseidon::{Fr, INPUTS_MAX, Input, Prover, Rejection, clear_max_degree, format_decimal, hash};
use serde_json::json;

/// Exit statuses of a verification.
const ACCEPTED: u8 = 0;
const REJECTED: u8 = 1;
/// Exit status for what cannot be carried out: a bad argument, an unreadable file, parameters that show nothing.
const USAGE: u8 = 2;
/// Why a proof that verifies is not accepted.
const ONLY_DEVELOPMENT: &str = "the proof verifies, but under the development parameters, where anyone can forge proofs: \
     set ELASTIC_SRS_PATH to the powers of tau of a ceremony, or pass --allow-development";
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
        #[arg(required = true, num_args = 1..=INPUTS_MAX, value_parser = parse_integer::<u64>)]
        integers: Vec<u64>,
    },
    /// Make a proof and print its text.
    Prove {
        /// {"private_input":[1,2],"public_input":"decimal digits"}, or @FILE, or - for standard input.
        #[arg(long)]
        input: String,
    },
    /// Check a proof: exit status 0 if it is accepted, 1 if it is rejected, 2 if it could not be carried out or only the
    /// development parameters accept it.
    #[command(
        after_help = "Examples:\n  ELASTIC_SRS_PATH=powers.ptau poseidon verify --inputs 2 --public-input 7853…3530 --proof @proof.txt\n  poseidon --json verify --inputs 2 --public-input 7853…3530 --proof - --allow-development <proof.txt"
    )]
    Verify {
        /// How many integers were hashed, 1 to 16.
        #[arg(long, value_parser = parse_integer::<usize>)]
        inputs: usize,
        /// Their hash, in decimal.
        #[arg(long)]
        public_input: String,
        /// The proof text, or @FILE, or - for standard input (one final line break is taken off of both).
        #[arg(long)]
        proof: String,
        /// Accept under the development parameters too, which are used where ELASTIC_SRS_PATH is not set: their secret is
        /// public, so anyone can forge proofs.
        #[arg(long)]
        allow_development: bool,
    },
}

fn main() -> ExitCode {
    if let Err(error) = clear_max_degree() {
        eprintln!("poseidon: {error}");
        return ExitCode::from(USAGE);
    }
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Hash { integers } => Ok(print_hash(cli.json, integers)),
        Command::Prove { input } => prove(cli.json, input),
        Command::Verify { inputs, public_input, proof, allow_development } => {
            verify(cli.json, *allow_development, *inputs, public_input, proof)
        }
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

fn verify(
    as_json: bool,
    allow_development: bool,
    inputs: usize,
    public_input: &str,
    proof: &str,
) -> Result<ExitCode, String> {
    let text = argument_text(proof)?;
    let prover = prover()?;
    let verified = prover.verify(inputs, public_input, &text);
    let is_development = prover.is_development();
    let (reason, status) = match &verified {
        Ok(()) if is_development && !allow_development => (Some(ONLY_DEVELOPMENT.to_owned()), USAGE),
        Ok(()) => (None, ACCEPTED),
        // A statement that there is none of is a mistake of the caller, not of the proof.
        Err(rejection @ (Rejection::Inputs(_) | Rejection::PublicInput(_))) => {
            (Some(rejection.to_string()), USAGE)
        }
        Err(rejection) => (Some(rejection.to_string()), REJECTED),
    };
    if as_json {
        let parameters = if is_development { "development" } else { "powers-of-tau" };
        let mut line = json!({ "accepted": reason.is_none(), "parameters": parameters });
        if let Some(reason) = reason {
            line["reason"] = reason.into();
        }
        println!("{line}");
    } else if let Some(reason) = reason {
        println!("rejected: {reason}");
    } else {
        println!("accepted");
    }
    Ok(ExitCode::from(status))
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
