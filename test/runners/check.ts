/** What `npm run check` runs: all that can be checked without running the programs, in seconds. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { findProgram } from "@elastic/deploy/local/search-path.ts";
import { programPath } from "../cluster/machine.ts";
import { trackedPaths } from "../house-rules/source-files.ts";
import { type CommandEnd, runCommand } from "./command.ts";
import { add, atLeastOne, type Count, NONE } from "./count.ts";
import { lockFileState, lockFilesAmong } from "./lock-files.ts";
import { type RunnerEnd, type Timing, timed } from "./runner.ts";
import { runVitest, timingOf } from "./vitest.ts";

const OUTPUT_LINES_SHOWN = 60;
const PROTO = inRepository("proto");
/** The contract as it was last released; what an agent of then sends must still be understood. */
const RELEASED_CONTRACT = "released.binpb";

type State = "holds" | { readonly wrong: string } | { readonly notChecked: string };

interface Step {
  readonly name: string;
  run(): Promise<State>;
}

export async function runCheck(): Promise<RunnerEnd> {
  const all = steps();
  // All at once: some wait for a registry.
  const ends = await Promise.all(all.map(({ run }) => timed(run)));
  let total = NONE;
  const timings: Timing[] = [];
  for (const [index, { name }] of all.entries()) {
    const [state, seconds] = ends[index] as (typeof ends)[number];
    console.log(lineOf(name, state, seconds));
    total = add(total, countOf(state));
    timings.push({ name: `check: ${name}`, kind: "phase", seconds });
  }
  const house = await runVitest(["--project", "house"], { show: false });
  console.log(`${house.count.failed === 0 ? "ok  " : "FAIL"} house rules (${house.count.passed} hold)`);
  if (house.count.failed > 0) console.log(lastLines(house.output));
  return {
    count: add(total, atLeastOne(house.count)),
    notes: [],
    timings: [...timings, ...house.files.map(timingOf)],
  };
}

function lineOf(name: string, state: State, seconds: number): string {
  const took = `${name} (${seconds.toFixed(1)} s)`;
  if (state === "holds") return `ok   ${took}`;
  return "wrong" in state ? `FAIL ${took}\n${lastLines(state.wrong)}` : `NOT CHECKED ${took}: ${state.notChecked}`;
}

function countOf(state: State): Count {
  if (state === "holds") return { ...NONE, passed: 1 };
  return "wrong" in state ? { ...NONE, failed: 1 } : { ...NONE, skipped: 1 };
}

function steps(): readonly Step[] {
  const bin = (name: string): string => inRepository("node_modules", ".bin", name);
  return [
    { name: "runs on the pinned Node", run: runsOnPinnedNode },
    command("types", process.execPath, [inRepository("node_modules", "ts7", "bin", "tsc"), "-p", "."]),
    command("types of the console", process.execPath, [
      inRepository("node_modules", "ts7", "bin", "tsc"),
      "-p",
      "console",
    ]),
    command("format and lint", bin("biome"), ["ci", "--colors=off", "."]),
    command("dead code and unlisted dependencies", bin("knip"), ["--no-progress"]),
    command("contract: lint", bin("buf"), ["lint"], PROTO),
    command("contract: breaks no released agent", bin("buf"), ["breaking", "--against", RELEASED_CONTRACT], PROTO),
    { name: "contract: generated code is up to date", run: generatedIsUpToDate },
    command("format of Rust", "cargo-fmt", ["--all", "--check"]),
    ...lockFileSteps(),
  ];
}

/** A change that takes every lock file out of sight must not pass. */
function lockFileSteps(): readonly Step[] {
  const files = lockFilesAmong(trackedPaths());
  const found = async (): Promise<State> => (files.length > 0 ? "holds" : { wrong: "no lock file was found" });
  return [
    { name: `${files.length} lock files are held against their manifests`, run: found },
    ...files.map((path) => ({ name: path, run: async (): Promise<State> => lockState(path) })),
  ];
}

async function lockState(path: string): Promise<State> {
  const state = await lockFileState(path);
  if (state === "current") return "holds";
  return "stale" in state ? { wrong: `${path} does not agree with its manifest:\n${state.stale}` } : state;
}

/** Not checked where the program is not installed. */
function command(name: string, program: string, args: readonly string[], cwd?: string): Step {
  return {
    name,
    async run() {
      if (!program.includes("/") && findProgram(program, programPath()) === null) {
        return { notChecked: `${program} is not installed` };
      }
      return stateOf(await runCommand(program, args, { show: false, ...(cwd === undefined ? {} : { cwd }) }));
    },
  };
}

function stateOf({ code, output }: CommandEnd): State {
  return code === 0 ? "holds" : { wrong: output };
}

/** Where install scripts are off, the package `node` places no binary and the machine's own Node runs, silently. */
async function runsOnPinnedNode(): Promise<State> {
  const lock = JSON.parse(readFileSync(inRepository("package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const pinned = lock.packages["node_modules/node"]?.version;
  if (process.versions.node === pinned) return "holds";
  const wrong = `this is Node ${process.versions.node}, and package-lock.json pins ${pinned}: run \`npm ci\` with install scripts`;
  return { wrong };
}

async function generatedIsUpToDate(): Promise<State> {
  const folder = mkdtempSync(join(tmpdir(), "elastic-proto-"));
  try {
    const end = await runCommand(inRepository("node_modules", ".bin", "buf"), ["generate", "-o", folder], {
      show: false,
      cwd: PROTO,
      env: { PATH: `${inRepository("node_modules", ".bin")}:${programPath()}` },
    });
    if (end.code !== 0) return stateOf(end);
    const fresh = readTree(join(folder, "gen"));
    const committed = readTree(join(PROTO, "gen"));
    if (fresh.size === 0) return { wrong: "nothing was generated" };
    const paths = new Set([...fresh.keys(), ...committed.keys()]);
    const different = [...paths].filter((path) => fresh.get(path) !== committed.get(path));
    return different.length === 0 ? "holds" : { wrong: `run \`npm run proto\`: ${different.join(", ")} differ` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files below `folder` by their path in it. */
function readTree(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-OUTPUT_LINES_SHOWN).join("\n");
}
