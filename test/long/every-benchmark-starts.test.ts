/** A trial run of each benchmark: what it builds still builds, and it measures. On a GPU, what comes before measuring. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { inheritedEnvironment } from "../cluster/machine.ts";

const TRIAL = trialOf(1);
const ARGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["accel", TRIAL],
  ["accel-gpu", ["--prepare"]],
  ["builds", TRIAL],
  ["cancel", TRIAL],
  // Clients read a list every five seconds there, and one that is sent nothing is a failure.
  ["console", trialOf(6)],
  ["fleet", TRIAL],
  ["folding", TRIAL],
  ["plonk", TRIAL],
  ["plonk-gpu", ["--prepare"]],
  ["pools", TRIAL],
  ["queued", TRIAL],
  ["recovery", TRIAL],
  ["service", TRIAL],
  ["shells", TRIAL],
]);

function trialOf(seconds: number): readonly string[] {
  return ["--rounds", "1", "--seconds", String(seconds)];
}

async function bench(...args: readonly string[]): Promise<string> {
  const program = [inRepository("bench", "main.ts"), ...args];
  const options = { env: inheritedEnvironment(), maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)(process.execPath, program, options)).stdout;
}

test("every benchmark has a trial here", async () => {
  const help = await bench("--help");
  const names = [...help.matchAll(/^ {2}(\S+) .*rounds of/gm)].map(([, name]) => name);
  expect(names.sort()).toEqual([...ARGS.keys()].sort());
});

test.each([...ARGS])("%s runs from a fresh build", async (name, args) => {
  const shown = await bench(name, ...args);
  if (args.includes("--seconds")) expect(shown).toContain("A trial run: nothing was written.");
});
