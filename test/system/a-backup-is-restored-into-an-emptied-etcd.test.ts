/** The drill: load, a backup, more load, the loss of etcd's data, a restore that is killed half way, and again. */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { encodeRecord } from "@elastic/coordinator/store/codec.ts";
import { connectEtcd } from "@elastic/coordinator/store/etcd/etcd-kv.ts";
import { RESTORE_KEY, recordKey } from "@elastic/coordinator/store/keys.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient, TaskRecord } from "../cluster/api-client.ts";
import { apiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { countKeys, hasKey } from "../cluster/etcd-requests.ts";
import { operatorJson, startOperatorCommand } from "../cluster/operator-commands.ts";

/** As soon as settings let them. */
const ARCHIVE_SOON = { ELASTIC_ARCHIVE_AFTER: "5" };
const TASKS = 200;
const LARGE_BYTES = 20_000;
/** So that a restore takes long enough to be killed in it. */
const NOTES = 12_000;
const NOTES_A_TRANSACTION = 100;
const ARCHIVED_WITHIN_MS = 60_000;
const WORKS_WITHIN_MS = 30_000;
const SLOWLY = { timeout: 240_000 };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ agents: 2, coordinatorSettings: ARCHIVE_SOON });
}, 120_000);
afterAll(() => cluster?.[Symbol.asyncDispose]());

interface NewKey {
  readonly key: string;
  readonly key_id: string;
}

interface Backup {
  readonly place: string;
  readonly name: string;
  readonly entries: number;
}

interface Restored {
  readonly epoch: number;
  readonly keys_disabled: boolean;
  readonly changed: Readonly<Record<string, number>>;
  readonly left_out: Readonly<Record<string, number>>;
  readonly took_ms: number;
  readonly lost_changes: readonly { readonly action: string; readonly name: string | null }[];
}

test("has all that was acknowledged before the backup, names what came after it, and works again", SLOWLY, async () => {
  const [coordinator] = cluster.coordinators;
  if (coordinator === undefined) throw new Error("no coordinator");
  const { endpoint } = cluster.etcd;
  const client = cluster.client();
  const echo = await client.readyService("echo", { image: "builtin:echo", scaling: { min: 2, max: 2 } });
  const sleeps = await client.readyService("sleeps", { image: "builtin:sleep", scaling: { min: 1, max: 1 } });
  const revokedLater = await newKey(client);
  await writeNotes(endpoint);
  const keyFile = join(cluster.folder, "backup.key");
  const { recipient } = await operatorJson<{ readonly recipient: string }>(cluster, "backup-key", "--out", keyFile);

  // Some end before the backup, some run at it, and some are acknowledged while it is taken.
  const before = await proveMany(client, echo.service_id, TASKS);
  const open = await Promise.all(
    [1_500, 1_500, 1_500].map((ms) => client.postTask(sleeps.service_id, JSON.stringify({ ms }))),
  );
  const backups = join(cluster.folder, "backups");
  mkdirSync(backups);
  const taking = operatorJson<Backup>(cluster, "backup", "--to", backups, "--recipient", recipient);
  const during = await proveMany(client, echo.service_id, TASKS / 4);
  const backup = await taking;
  const file = join(backups, backup.name);

  // What comes after it.
  await client.createService("late");
  expect((await client.call(`/v1/keys/${revokedLater.key_id}`, { method: "DELETE" })).status).toBeLessThan(300);
  const archivedLater = await proveMany(client, echo.service_id, 20);
  const ended = await Promise.all(open.map(({ task_id }) => client.ended(task_id)));
  const isArchived = () => countKeys(endpoint, "/elastic/v1/records/tasks/");
  await expect.poll(isArchived, { timeout: ARCHIVED_WITHIN_MS }).toBe(0);
  // Of the running coordinators the restore knows, and changes nothing.
  const early = await startOperatorCommand(cluster, "restore", file, "--identity", keyFile).ended;
  expect(early).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/nothing was changed: coordinators run.*Stop all of them/),
  });
  const lost = await proveMany(client, echo.service_id, 5);

  await coordinator.kill();
  await cluster.etcd.kill();
  const lostAtMs = performance.now();
  rmSync(cluster.etcd.dataDir, { recursive: true });
  await cluster.etcd.start();

  const check = await operatorJson<{ readonly possible: boolean; readonly blobs: { readonly missing: number } }>(
    cluster,
    "restore",
    file,
    "--identity",
    keyFile,
    "--check",
  );
  expect(check).toMatchObject({ possible: true, blobs: { missing: 0 } });
  expect(await countKeys(endpoint, "/elastic/")).toBe(0);
  await killRestoreHalfWay(file, keyFile);
  await expect(coordinator.start()).rejects.toThrow(/a restore from elastic-.* has begun/);
  const againAtMs = performance.now();
  const restored = await operatorJson<Restored>(cluster, "restore", file, "--identity", keyFile);
  await coordinator.start();
  await client.prove(echo.service_id, '"works again"');
  const [sinceLoss, sinceRestore] = [lostAtMs, againAtMs].map((fromMs) => Math.round(performance.now() - fromMs));
  console.log(
    `proves again ${sinceRestore} ms after the restore of ${backup.entries} entries began, which took ${restored.took_ms} ms; ` +
      `${sinceLoss} ms after the loss of etcd's data, a check and a killed restore included`,
  );
  expect(sinceRestore).toBeLessThan(WORKS_WITHIN_MS);

  expect(restored).toMatchObject({ epoch: 2, keys_disabled: false, changed: { "keys revoked": 1 } });
  expect(restored.left_out.archived).toBeGreaterThan(0);
  expect(restored.lost_changes).toContainEqual(expect.objectContaining({ action: "createService", name: "late" }));
  const { status } = await apiClient({ url: coordinator.url, key: revokedLater.key }).call("/v1/services");
  expect(status).toBe(401);
  for (const task of [...before, ...during, ...archivedLater, ...ended]) {
    expect(sameOf(await client.ended(task.task_id))).toEqual(sameOf(task));
  }
  const services = (await client.call("/v1/services")).json as {
    readonly items: readonly { readonly service_name: string }[];
  };
  expect(services.items.map(({ service_name }) => service_name).sort()).toEqual(["echo", "sleeps"]);

  for (const { task_id } of lost) expect((await client.call(`/v1/tasks/${task_id}`)).status).toBe(404);
  const reported = async () =>
    (await operatorJson<readonly { readonly task_id: string }[]>(cluster, "lost-tasks")).map(({ task_id }) => task_id);
  await expect.poll(reported, { timeout: 30_000 }).toEqual(lost.map(({ task_id }) => task_id).sort());
});

/** Small inputs, and every tenth a blob. */
function proveMany(client: ApiClient, serviceId: string, count: number): Promise<TaskRecord[]> {
  const inputs = Array.from({ length: count }, (_unused, index) =>
    index % 10 === 0 ? JSON.stringify(randomBytes(LARGE_BYTES).toString("hex")) : `{"n":${index}}`,
  );
  return Promise.all(inputs.map((input) => client.prove(serviceId, input)));
}

async function newKey(client: ApiClient): Promise<NewKey> {
  const body = JSON.stringify({ name: "revoked later", scopes: ["services"] });
  const made = await client.call("/v1/keys", { method: "POST", body, headers: { "content-type": "application/json" } });
  expect(made.status).toBe(201);
  return made.json as NewKey;
}

/** As of tasks of an earlier day. */
async function writeNotes(endpoint: string): Promise<void> {
  const kv = connectEtcd({ endpoints: [endpoint], log: createLog({ name: "test", level: "silent" }) });
  const now = Date.now();
  for (let written = 0; written < NOTES; written += NOTES_A_TRANSACTION) {
    const puts = Array.from({ length: NOTES_A_TRANSACTION }, () => {
      const note = { id: `team/${newId(now)}`, taskId: newId(now), fingerprint: "0".repeat(64), createdAt: now };
      const key = recordKey("idempotency-keys", note.id);
      return { key, value: encodeRecord(key, newId(now), note) };
    });
    await kv.txn({ compares: [], puts, deletes: [] });
  }
  await kv.close();
}

/** By SIGKILL, as soon as it has begun to write. */
async function killRestoreHalfWay(file: string, keyFile: string): Promise<void> {
  const { endpoint } = cluster.etcd;
  const { child, ended } = startOperatorCommand(cluster, "restore", file, "--identity", keyFile);
  await expect.poll(() => hasKey(endpoint, RESTORE_KEY), { interval: 1, timeout: 30_000 }).toBe(true);
  child.kill("SIGKILL");
  expect((await ended).code).toBeNull();
  const written = await countKeys(endpoint, "/elastic/");
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(NOTES);
}

/** Links are signed again each hour. */
function sameOf({ result_url: _, ...task }: TaskRecord): Omit<TaskRecord, "result_url"> {
  return task;
}
