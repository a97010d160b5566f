/** The program as a separate process, on an etcd that a later version has changed. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { META_KEY, recordKey } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SLOWLY = { timeout: 60_000 };
const LEARNS = { timeout: 20_000, interval: 100 };
const WHY = "the store is of version 2 and takes programs that know 2, and this one knows 1";

let etcd: Etcd;
let dir: string;
let serving: ChildProcess | null = null;
beforeAll(async () => {
  etcd = await startEtcd();
  dir = mkdtempSync(join(tmpdir(), "later-store-"));
});
afterAll(async () => {
  serving?.kill("SIGKILL");
  await etcd[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});

function settings(): Record<string, string> {
  return {
    ...COMPILE_CACHE,
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_ROLES: "http",
    ELASTIC_HTTP_LISTEN: "127.0.0.1:0",
    ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
    ELASTIC_BLOBS_DIR: join(dir, "blobs"),
    ELASTIC_ARCHIVE: `sqlite:${join(dir, "archive.db")}`,
    ELASTIC_SECRETS_KEY_FILE: join(dir, "keys"),
  };
}

function run(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env: settings() }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: `${stdout}${stderr}` }),
    );
  });
}

/** Over a new connection: one that stays learns of a later version as well. */
async function connected<T>(act: (kv: Kv) => Promise<T>): Promise<T> {
  const kv = connectEtcd({ endpoints: [etcd.endpoint], log: createLog({ name: "test", level: "silent" }) });
  return await act(kv).finally(() => kv.close());
}

async function put(key: string, value: object): Promise<void> {
  const puts = [{ key, value: Buffer.from(JSON.stringify(value)) }];
  await connected((kv) => kv.txn({ compares: [], puts, deletes: [] }));
}

async function metaNow(): Promise<{ readonly revision: number; readonly value: object }> {
  const [entry] = (await connected((kv) => kv.read([META_KEY]))).entries;
  if (entry == null) throw new Error("no coordinator has started");
  return { revision: entry.revision, value: JSON.parse(String(entry.value)) };
}

test("a coordinator that runs learns of it and is unready, and none starts or changes anything", SLOWLY, async () => {
  const child = spawn(process.execPath, [MAIN, "serve"], { env: settings(), stdio: ["ignore", "pipe", "inherit"] });
  serving = child;
  const ready = await new Promise<{ readonly http: string; readonly metrics: string }>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const record = JSON.parse(line) as { readonly msg: string; readonly http: string; readonly metrics: string };
      if (record.msg === "ready") resolve(record);
    });
  });
  const readyz = async () => {
    const response = await fetch(new URL("/readyz", ready.http));
    return `${response.status} ${await response.text()}`;
  };
  expect(await readyz()).toMatch(/^200 /);
  // Passed over, and counted: nothing is known of a task in such a phase.
  await put(recordKey("tasks", "t"), { op: "later", value: { id: "t", phase: { kind: "suspended" } } });
  const metrics = async () => await (await fetch(new URL("/metrics", ready.metrics))).text();
  await expect.poll(metrics).toMatch(/^elastic_store_unreadable_records 1$/m);
  expect(await readyz()).toMatch(/^200 /);

  const { value } = await metaNow();
  await put(META_KEY, { ...value, schemaVersion: 2 });
  const raised = await metaNow();
  // Streams that break are cause for the check that is otherwise made every ten seconds.
  await etcd.kill();
  await etcd.start();
  await expect.poll(readyz, LEARNS).toMatch(new RegExp(`^503 .*${WHY}.*Start that later version here instead`));
  expect(await metrics()).toMatch(/^elastic_store_changed 1$/m);
  child.kill("SIGKILL");

  for (const command of [["serve"], ["team", "list"], ["bootstrap", "--user", "ada", "--team", "lovelace"]]) {
    const { code, output } = await run(...command);
    expect([code, output]).toEqual([1, expect.stringContaining(WHY)]);
    expect(output).not.toContain("    at ");
  }
  const doctor = await run("doctor");
  expect([doctor.code, doctor.output]).toEqual([1, expect.stringMatching(new RegExp(`fail +schema +.*${WHY}`))]);
  expect(await metaNow()).toEqual(raised);
});
