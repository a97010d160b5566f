/** A Rust program that measures, with its peer: built when it is first needed, apart from the product's own builds. */
import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export interface RustProgram {
  /** Builds it as fast as its peer can be on this machine. */
  build(): Promise<void>;
  /** Runs it and returns what it printed; its lines meanwhile go to `log`. `env` is in addition to this process's own. */
  run(args: readonly string[], log: (text: string) => void, env?: Readonly<Record<string, string>>): Promise<string>;
}

export interface RustProgramPlace {
  /** The folder of its manifest and lock file. */
  readonly crate: string;
  readonly name: string;
  /** Where cargo builds it. */
  readonly target: string;
}

export function rustProgram({ crate, name, target }: RustProgramPlace): RustProgram {
  return {
    build: async () => {
      const env = { ...process.env, CARGO_TARGET_DIR: target, RUSTFLAGS: "-C target-cpu=native" };
      const args = ["build", "--release", "--locked", "--manifest-path", `${crate}/Cargo.toml`];
      await promisify(execFile)("cargo", args, { cwd: inRepository(), env, maxBuffer: OUTPUT_BYTES_MAX });
    },
    run: (args, log, env = {}) =>
      new Promise((resolve, reject) => {
        const options = { env: { ...process.env, ...env } };
        const program = spawn(`${target}/release/${name}`, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
        let output = "";
        program.stdout.on("data", (data: Buffer) => {
          output += data;
        });
        createInterface(program.stderr).on("line", log);
        program.once("error", reject);
        program.once("close", (code) => {
          if (code === 0) resolve(output);
          else reject(new Error(`${name} ended with ${code}`));
        });
      }),
  };
}
