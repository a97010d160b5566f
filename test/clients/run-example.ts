/** Runs an example of the guide in a folder in which the client libraries are found, with the type checks of its readers. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { GuideExample } from "./guide-examples.ts";

const run = promisify(execFile);
const PROGRAMS = { ts: process.execPath, python: "python3" } as const;
const ENDINGS = { ts: "ts", python: "py" } as const;

export type ExampleEnvironment = Readonly<Record<string, string | undefined>>;

/** A folder in which an import of either library finds the sources of this repository. Returns what Python takes for it. */
export function linkSources(folder: string): ExampleEnvironment {
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  symlinkSync(inRepository("clients", "typescript"), join(folder, "node_modules", "elastic-client"));
  linkNodeTypes(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return { PYTHONPATH: inRepository("clients", "python"), PYTHONDONTWRITEBYTECODE: "1" };
}

/** Examples name things of Node. */
export function linkNodeTypes(folder: string): void {
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  symlinkSync(inRepository("node_modules", "@types", "node"), join(folder, "node_modules", "@types", "node"));
}

/** Throws with the compiler's messages where a program of TypeScript in the folder has a wrong type. */
export async function checkTypes(folder: string, examples: readonly GuideExample[]): Promise<void> {
  const files = examples
    .filter(({ language }) => language === "ts")
    .map((example, n) => write(folder, example, `checked-${n}`));
  const compiler = inRepository("node_modules", "ts7", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"];
  const allowed = ["--allowImportingTsExtensions", "--erasableSyntaxOnly", "--skipLibCheck"];
  await run(process.execPath, [compiler, ...options, ...allowed, ...files], { cwd: folder }).catch((error) => {
    throw new Error(error.stdout);
  });
}

/** What it printed. */
export async function runExample(folder: string, example: GuideExample, env: ExampleEnvironment): Promise<string> {
  const path = write(folder, example, "example");
  const { stdout } = await run(PROGRAMS[example.language], [path], { cwd: folder, env });
  return stdout;
}

export interface RunningExample extends AsyncDisposable {
  /** What it printed by now. */
  printed(): string;
}

export function startExample(folder: string, example: GuideExample, env: ExampleEnvironment): RunningExample {
  const path = write(folder, example, "server");
  const child = spawn(PROGRAMS[example.language], [path], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  return {
    printed: () => printed,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await closed;
    },
  };
}

function write(folder: string, { language, code }: GuideExample, name: string): string {
  const path = join(folder, `${name}.${ENDINGS[language]}`);
  writeFileSync(path, code);
  return path;
}
