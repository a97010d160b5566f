/** A machine with nothing but the distribution's smallest system on it, as a root file system that programs run in. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Program } from "@elastic/deploy/local/program.ts";

const EXECUTE = promisify(execFile);
const OUTPUT_BYTES_MAX = 16 * 1024 ** 2;
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export interface Pasted {
  readonly code: number;
  /** Of both streams. */
  readonly output: string;
}

export interface BareRoot {
  readonly folder: string;
  /** Runs it to its end; returns what it printed. */
  run(env: Readonly<Record<string, string>>, ...command: readonly string[]): Promise<string>;
  /** What a shell there does with lines that are typed into it. */
  paste(...lines: readonly string[]): Promise<Pasted>;
  /** The program as one that runs in there, with its own processes and the network of this machine. */
  inside(program: Program): Program;
}

/** Of this machine's distribution, with further packages of it. */
export async function makeBareRoot(parent: string, packages: readonly string[]): Promise<BareRoot> {
  const folder = join(parent, "root");
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "stable";
  const include = packages.length === 0 ? [] : [`--include=${packages.join(",")}`];
  await EXECUTE("mmdebstrap", ["--variant=minbase", ...include, suite, folder], { maxBuffer: OUTPUT_BYTES_MAX });
  const enter = ["--mount", "--pid", "--fork", "--kill-child", `--root=${folder}`, "--mount-proc", "--"];
  return {
    folder,
    async run(env, ...command) {
      const options = { env: { PATH, ...env }, maxBuffer: OUTPUT_BYTES_MAX };
      return (await EXECUTE("unshare", [...enter, ...command], options)).stdout;
    },
    async paste(...lines) {
      const shell = spawn("unshare", [...enter, "/bin/sh"], { env: { PATH, HOME: "/tmp" } });
      let output = "";
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      }
      shell.stdin.end(lines.map((line) => `${line}\n`).join(""));
      const [code] = (await once(shell, "close")) as [number];
      return { code, output };
    },
    inside: ({ command, args, env, ...rest }) => ({
      ...rest,
      command: "/usr/bin/unshare",
      args: [...enter, command, ...args],
      env: { ...env, PATH },
    }),
  };
}
