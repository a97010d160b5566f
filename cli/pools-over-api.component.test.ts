import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";

const POOL = {
  max: 3,
  cost_per_hour: 2.5,
  budget_per_day: 100,
  offer: {
    gpu_type: "NVIDIA H100 80GB HBM3",
    gpu_count: 1,
    gpu_memory_bytes: 80 * 2 ** 30,
    cpu_cores: 8,
    memory_bytes: 2 ** 36,
    node_labels: { zone: "eu" },
  },
  driver: { kind: "webhook", url: "https://driver.example/pools" },
};

let api: ApiInMemory;
let home: string;

beforeEach(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  expect((await elastic("login", "--url", api.url, "--api-key", api.key)).code).toBe(0);
}, 60_000);
afterEach(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elastic(...args: readonly string[]): Promise<Ran> {
  const env = { ELASTIC_CONFIG_DIR: join(home, "config"), PATH: process.env.PATH ?? "" };
  return runBinary(args, { directory: home, env });
}

test("a pool is set from a file, listed, shown, resumed, given a token, and deleted", {
  timeout: 120_000,
}, async () => {
  expect((await elastic("pool", "list")).stdout).toBe("There are no pools.\n");
  expect(await elastic("pool", "set", "h100", "--file", "absent.json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Could not read absent.json: it does not exist."),
  });
  await writeFile(join(home, "h100.json"), JSON.stringify({ ...POOL, min: 4 }));
  expect(await elastic("pool", "set", "h100", "--file", "h100.json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("min is 4, which is more than max, 3"),
  });
  await writeFile(join(home, "h100.json"), JSON.stringify(POOL));
  const { stdout: made } = await elastic("pool", "set", "h100", "--file", "h100.json");
  expect(made).toMatch(
    /^pool: h100\nmachines: 0, of which 0 coming; at least 0, at most 3\nwhy: nothing waits for it\n/,
  );
  expect(made).toMatch(
    /\nbudget: none an hour, 100 a day\n(.*\n)*labels: zone=eu\ndriver: webhook https:.*\nsecret: whsec_/,
  );
  const [head, row] = (await elastic("pool", "list")).stdout.split("\n");
  expect(head).toMatch(/^POOL +MACHINES +COMING +MIN +MAX +SPARE +AN HOUR +LAST DAY +WHY$/);
  expect(row).toMatch(/^h100 +0 +0 +0 +3 +0 +0 +0 +nothing waits for it$/);
  expect(JSON.parse((await elastic("pool", "info", "h100", "--json")).stdout)).toMatchObject({
    pool: "h100",
    items: [],
  });
  expect((await elastic("pool", "resume", "h100")).code).toBe(0);
  const token = await elastic("pool", "token", "h100", "--uses", "5", "--expires", "7d");
  expect(token.stdout).toMatch(
    /^echo ejt_\S+ \| elastic-agent enroll --coordinator \S+ --token-file - --ca-sha256 [0-9a-f]{64}\n$/,
  );
  expect((await elastic("pool", "delete", "h100", "--yes")).stdout).toBe("Deleted h100.\n");
  expect(await elastic("pool", "info", "h100")).toMatchObject({ code: 4 });
});
