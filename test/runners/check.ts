/** What `npm run check` runs: everything that can be told without running the programs, in seconds. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { findProgram } from "@elastic/deploy/local/search-path.ts";
import { programPath } from "../cluster/machine.ts";
import { type CommandEnd, runCommand } from "./command.ts";
import { add, atLeastOne, type Count, NONE } from "./count.ts";
import { runVitest } from "./vitest.ts";

const OUTPUT_LINES_SHOWN = 60;
const PROTO = inRepository("proto");
/** The contract as it was last released; what an agent of then sends must still be understood. */
const RELEASED_CONTRACT = "released.binpb";

interface Step {
  readonly name: string;
  /** Null when it holds, else what is wrong. */
  run(): Promise<string | null>;
}

export async function runCheck(): Promise<Count> {
  let total = NONE;
  for (const step of steps()) {
    const began = performance.now();
    const wrong = await step.run();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${wrong === null ? "ok  " : "FAIL"} ${step.name} (${seconds} s)`);
    if (wrong !== null) console.log(lastLines(wrong));
    total = add(total, { ...NONE, [wrong === null ? "passed" : "failed"]: 1 });
  }
  const house = await runVitest(["house"], { show: false });
  console.log(`${house.count.failed === 0 ? "ok  " : "FAIL"} house rules (${house.count.passed} hold)`);
  if (house.count.failed > 0) console.log(lastLines(house.output));
  return add(total, atLeastOne(house.count));
}

function steps(): readonly Step[] {
  const bin = (name: string): string => inRepository("node_modules", ".bin", name);
  const steps: Step[] = [
    { name: "runs on the pinned Node", run: runsOnPinnedNode },
    command("types", process.execPath, [inRepository("node_modules", "ts7", "bin", "tsc"), "-p", "."]),
    command("format and lint", bin("biome"), ["ci", "--colors=off", "."]),
    command("contract: lint", bin("buf"), ["lint"], PROTO),
    command("contract: breaks no released agent", bin("buf"), ["breaking", "--against", RELEASED_CONTRACT], PROTO),
    { name: "contract: generated code is up to date", run: generatedIsUpToDate },
  ];
  if (findProgram("cargo-fmt", programPath()) !== null) {
    steps.push(command("format of Rust", "cargo", ["fmt", "--all", "--check"]));
  }
  return steps;
}

function command(name: string, program: string, args: readonly string[], cwd?: string): Step {
  return {
    name,
    run: async () =>
      whatFailed(await runCommand(program, args, { show: false, ...(cwd === undefined ? {} : { cwd }) })),
  };
}

function whatFailed({ code, output }: CommandEnd): string | null {
  return code === 0 ? null : output;
}

/** Where install scripts are off, the package `node` places no binary and the machine's own Node runs, silently. */
async function runsOnPinnedNode(): Promise<string | null> {
  const lock = JSON.parse(readFileSync(inRepository("package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const pinned = lock.packages["node_modules/node"]?.version;
  return process.versions.node === pinned
    ? null
    : `this is Node ${process.versions.node}, and package-lock.json pins ${pinned}: run \`npm ci\` with install scripts`;
}

async function generatedIsUpToDate(): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), "elastic-proto-"));
  try {
    const end = await runCommand(inRepository("node_modules", ".bin", "buf"), ["generate", "-o", folder], {
      show: false,
      cwd: PROTO,
      env: { PATH: `${inRepository("node_modules", ".bin")}:${programPath()}` },
    });
    if (end.code !== 0) return end.output;
    const fresh = readTree(join(folder, "gen"));
    const committed = readTree(join(PROTO, "gen"));
    if (fresh.size === 0) return "nothing was generated";
    const paths = new Set([...fresh.keys(), ...committed.keys()]);
    const different = [...paths].filter((path) => fresh.get(path) !== committed.get(path));
    return different.length === 0 ? null : `run \`npm run proto\`: ${different.join(", ")} differ`;
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
