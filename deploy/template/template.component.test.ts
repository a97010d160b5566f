/** The template as a separate project: its lock file, and that it compiles and proves. */
import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { inheritedEnvironment } from "@elastic/test/cluster/machine.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { lockFileState } from "@elastic/test/runners/lock-files.ts";
import { CLAIM, INPUT, WRONG_CLAIM, WRONG_INPUT } from "@elastic/test/system/statement.ts";
import { expect, test } from "vitest";
import { startChild } from "../local/child.ts";
import { inRepository } from "../local/repository.ts";
import { verifyProof } from "../local/verify-proof.ts";
import { REPOSITORY } from "./read-sources.ts";
import { templateFiles } from "./template-files.ts";
import { writeFiles } from "./write-template.ts";

const START_TIMEOUT_MS = 30_000;
const EVENT = {
  "content-type": "application/json",
  "ce-specversion": "1.0",
  "ce-id": "1",
  "ce-source": "local",
  "ce-type": "task",
};

test("has a lock file that agrees with its manifests", async () => {
  using folder = makeWorkFolder();
  writeFiles(folder.path, templateFiles(REPOSITORY));
  const state = await lockFileState("Cargo.lock", folder.path);
  expect(state, "`node deploy/template/main.ts --lock` makes it agree").toBe("current");
});

test("compiles to a program that proves, and that proves nothing false", async () => {
  using folder = makeWorkFolder();
  const project = join(folder.path, "project");
  const built = join(folder.path, "target");
  writeFiles(project, templateFiles(REPOSITORY));
  const compiled = await buildLikeWorkspace(project, built);
  // What it depends on was compiled by set-up. A build of everything is in test/long.
  expect(compiled).toEqual(["elastic-sdk", "grain", "one-graph", "poseidon"]);
  const env = { PATH: inheritedEnvironment().PATH ?? "", PORT: "0" };
  const command = join(built, "release", "elastic");
  const logFile = join(folder.path, "prover.log");
  const prover = await startChild({ name: "template", command, args: [], env, logFile });
  try {
    const port = await prover.line((line) => /http:\/\/localhost:(\d+)/.exec(line)?.[1], START_TIMEOUT_MS);
    const post = (body: string) => fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: EVENT, body });
    const proof = (await (await post(INPUT)).json()) as string;
    expect(await verifyProof(proof, CLAIM)).toBe(true);
    expect(await verifyProof(proof, WRONG_CLAIM)).toBe(false);
    expect((await post(WRONG_INPUT)).status).toBe(500);
  } finally {
    await prover.stop();
  }
});

/** With the crates that set-up has compiled for the workspace: it enables the same features of them. Returns what was compiled. */
async function buildLikeWorkspace(project: string, target: string): Promise<readonly string[]> {
  const manifest = join(project, "Cargo.toml");
  const oneGraph = `[dependencies]\none-graph = { path = ${JSON.stringify(inRepository("provers", "one-graph"))} }`;
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace("[dependencies]", oneGraph));
  writeFileSync(join(project, "Cargo.lock"), REPOSITORY.read("Cargo.lock"));
  for (const part of [".fingerprint", "build", "deps"]) {
    const from = inRepository("target", "release", part);
    // Of deps the libraries: programs of tests are many times as large.
    const filter = (path: string) => part !== "deps" || path === from || /^lib|\.d$/.test(basename(path));
    cpSync(from, join(target, "release", part), { recursive: true, preserveTimestamps: true, filter });
  }
  const args = ["build", "--release", "--offline", "--bin", "elastic", "--target-dir", target];
  const { stderr } = await promisify(execFile)("cargo", args, { cwd: project, env: inheritedEnvironment() });
  return [...stderr.matchAll(/^ *Compiling (\S+)/gm)].map(([, name = ""]) => name).toSorted();
}
