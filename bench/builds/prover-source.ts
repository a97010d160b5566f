/**
 * The source that is built: a program that links elastic-sdk, with all that it depends on vendored, as a user sends it
 * who builds without a network. Another source is chosen here and nowhere else.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Archive, archiveOf, type Entries } from "@elastic/agent/builds/testing/archive.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCargo } from "./cargo.ts";

export interface ProverSource {
  /** Where it lies, to be built in place. */
  readonly folder: string;
  /** The command that builds it there, after `cargo`. */
  readonly cargoArgs: readonly string[];
  /** Changes one line, to another one each time. */
  edit(): void;
  /** As it is now. */
  archive(): Promise<Archive>;
}

const MANIFEST = `[package]
name = "sum"
version = "0.1.0"
edition = "2024"

[dependencies]
elastic-sdk = { path = "elastic-sdk" }
serde = { version = "1", features = ["derive"] }

[[bin]]
name = "elastic"
path = "src/bin/elastic.rs"
`;
const PROGRAM = `use elastic_sdk::ProofHandler;
use serde::Deserialize;

struct Sum;

#[derive(Deserialize)]
struct Input {
    numbers: Vec<u64>,
}

impl ProofHandler for Sum {
    type Input = Input;
    type Output = String;
    type Error = String;

    async fn prove(input: Input) -> Result<String, String> {
        Ok(format!("the sum is {}", input.numbers.iter().sum::<u64>()))
    }
}

fn main() -> std::io::Result<()> {
    elastic_sdk::run::<Sum>()
}
`;
const EDITED = "the sum is";
const NOT_SENT = new Set(["target"]);

/** Writes it to an empty folder. */
export async function proverSource(folder: string): Promise<ProverSource> {
  const program = join(folder, "src", "bin", "elastic.rs");
  mkdirSync(dirname(program), { recursive: true });
  for (const part of ["Cargo.toml", "README.md", "src", "examples"]) {
    cpSync(inRepository("sdk", part), join(folder, "elastic-sdk", part), { recursive: true });
  }
  writeFileSync(join(folder, "Cargo.toml"), MANIFEST);
  writeFileSync(program, PROGRAM);
  const config = await runCargo(folder, ["vendor"]);
  mkdirSync(join(folder, ".cargo"));
  writeFileSync(join(folder, ".cargo", "config.toml"), config);
  let edits = 0;
  return {
    folder,
    cargoArgs: ["build", "--release", "--bin", "elastic"],
    edit: () => {
      edits += 1;
      writeFileSync(program, PROGRAM.replace(EDITED, `${EDITED}, edited ${edits} times,`));
    },
    archive: () => archiveOf(entriesOf(folder)),
  };
}

function entriesOf(folder: string): Entries {
  return readdirSync(folder)
    .filter((name) => !NOT_SENT.has(name))
    .flatMap((name) => filesBelow(join(folder, name)))
    .map((path) => [relative(folder, path), readFileSync(path)] as const);
}

function filesBelow(path: string): readonly string[] {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}
