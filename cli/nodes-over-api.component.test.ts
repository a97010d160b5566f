import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";

const SHELL = "5".repeat(32);

let api: ApiInMemory;
let home: string;

beforeEach(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  expect((await elastic("login", "--url", api.url, "--api-key", api.key)).code).toBe(0);
  await api.addNode("gpu-7", { gpuUuids: ["g1", "g2"], labels: { zone: "eu" } });
  await api.addNode("plain", { cpuSpeed: { msmPointsPerSecond: 1_234_567, nttElementsPerSecond: 1_234_567 } });
}, 60_000);
afterEach(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elastic(...args: readonly string[]): Promise<Ran> {
  return runBinary(args, surroundings());
}

function surroundings() {
  return { directory: home, env: { ELASTIC_CONFIG_DIR: join(home, "config"), PATH: process.env.PATH ?? "" } };
}

test("machines are listed, by label and type of GPU too, and shown in full", { timeout: 120_000 }, async () => {
  const lab = JSON.parse((await elastic("shell", "create", "lab", "--gpu", "any", "--no-wait", "--json")).stdout);
  await api.place(lab.shell_id, "gpu-7", ["g1"]);
  const listed = (await elastic("node", "list")).stdout.split("\n");
  expect(listed[0]).toMatch(/^NODE +STATE +GPUS +SLOTS +SCORE +ATTEMPTS +WORKLOADS +SHELLS +LABELS +LAST SEEN$/);
  expect(listed[1]).toMatch(/^gpu-7 +READY +2 x NVIDIA H100 80GB HBM3 \(1 free\) +4 +- +0 +0 +1 +zone=eu +-$/);
  expect(listed[2]).toMatch(/^plain +READY +- +4 +1\.23 /);
  const some = await elastic("node", "list", "--label", "zone=eu", "--gpu", "h100", "--state", "READY", "--json");
  expect(JSON.parse(some.stdout).map(({ node_id: id }: { readonly node_id: string }) => id)).toEqual(["gpu-7"]);
  expect((await elastic("node", "list", "--state", "LOST")).stdout).toBe("There are no such nodes.\n");
  const { stdout: info } = await elastic("node", "info", "gpu-7");
  expect(info).toMatch(/^node: gpu-7\nstate: READY since .*\n(.*\n)*left: 1 shell\n/);
  expect(info).toMatch(
    /\ngpus: 2\n {2}NVIDIA H100 80GB HBM3, 80\.0 GiB, g1: shell lab \([0-9a-f]{32}\) of .*\n.*, g2: free\n/,
  );
  expect(info).toContain(` assigned shell lab (${lab.shell_id}) of `);
  const { stdout: plain } = await elastic("node", "info", "plain");
  expect(plain).toMatch(/\nscore: 1\.23\n(.*\n)*cpu speed: score 1\.23 \(1\.23 M points\/s, 1\.23 M elements\/s\)\n/);
  expect((await elastic("node", "gpu-types")).stdout).toMatch(/\nNVIDIA H100 80GB HBM3 +80\.0 GiB +- +1 +2\n$/);
  expect((await elastic("node", "demand")).stdout).toBe("Nothing waits for a machine.\n");
  expect(JSON.parse((await elastic("node", "demand", "--json")).stdout)).toEqual({ workloads: 0, tasks: 0, items: [] });
  expect(await elastic("node", "info", "nobody")).toMatchObject({ code: 4 });
});

test("a drain is waited for until its machine is empty, and taken back", { timeout: 120_000 }, async () => {
  const end = await api.place(SHELL, "gpu-7");
  const draining = await elastic("node", "drain", "gpu-7");
  expect(draining.stdout).toMatch(/\nstate: DRAINING since .*\ndrain: requested by user own \([0-9a-f]{32}\) at /);
  expect(draining.stderr).toContain("Its shells run until they are stopped: --stop-shells.");
  let said = "";
  const waiting = runBinary(["node", "drain", "gpu-7", "--wait"], {
    ...surroundings(),
    onStderr: (text) => {
      said += text;
    },
  });
  const left = "Draining, left: 1 shell (shells run until they are stopped: --stop-shells)\n";
  await expect.poll(() => said, { timeout: 60_000 }).toBe(left);
  await end();
  const { code, stdout } = await waiting;
  expect([code, stdout]).toEqual([0, expect.stringContaining("\nstate: DRAINED since ")]);
  expect((await elastic("node", "resume", "gpu-7")).stdout).toContain("\nstate: READY since ");
  const withShells = await elastic("node", "drain", "gpu-7", "--stop-shells");
  expect(withShells.stdout).toMatch(/\ndrain: requested by .* at .*, shells are stopped\n/);
});

test("an eviction needs a confirmation, and what is evicted is neither drained nor resumed", {
  timeout: 120_000,
}, async () => {
  expect(await elastic("node", "evict", "plain")).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect((await elastic("node", "evict", "plain", "--yes")).stdout).toBe("Evicted plain.\n");
  for (const act of ["drain", "resume"]) {
    expect(await elastic("node", act, "plain")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The node was evicted"),
    });
  }
  expect((await elastic("node", "list", "--state", "GONE")).stdout).toMatch(/\nplain +GONE /);
});
