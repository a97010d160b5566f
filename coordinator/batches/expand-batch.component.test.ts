/** Whatever breaks off, and whoever continues, each input becomes one task. */
import { hash } from "node:crypto";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inSlices } from "../blobs/store-input-bytes.ts";
import { deleted, type Service } from "../domain/service.ts";
import { type TaskBatch, taskIdAt } from "../domain/task-batch.ts";
import { aBatch } from "../domain/testing/records.ts";
import type { Versioned } from "../domain/versioned.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../http/testing/http-fixture.ts";
import { create, replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { continueBatches } from "./batch-loop.ts";
import { type ExpandDeps, expandBatch } from "./expand-batch.ts";

const COUNT = 120;
const LARGE = 100_000;
const log = createLog({ name: "test", level: "silent" });

let api: HttpFixture;
let service: Service;
let inputs: readonly string[];

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());
beforeEach(async () => {
  service = await addReadyService(api.store, api.own);
  inputs = Array.from({ length: COUNT }, (_, n) => (n % 50 === 7 ? `"${String(n).padEnd(LARGE)}"` : `{ "n": ${n} }`));
});

async function accepted(given: Partial<TaskBatch> = {}): Promise<Versioned<TaskBatch>> {
  const array = `[${inputs.join(",\n")}]`;
  const body = await api.blobs.put(service.teamId, inSlices(Buffer.from(`{"inputs":${array}}`)), { bytesMax: 1e9 });
  const inputsAt = { start: 10, end: 10 + Buffer.byteLength(array) };
  const { teamId } = service;
  const value = aBatch(service, { teamId, createdAt: Date.now(), count: COUNT, body, inputsAt, ...given });
  const outcome = await api.store.commit([create("batches", value)]);
  if (outcome.kind === "conflict") throw new Error("a new id was taken");
  return { value, revision: outcome.revision };
}

function deps(commit: Store["commit"] = (changes) => api.store.commit(changes)): ExpandDeps {
  const { blobs, metrics, options, store } = api;
  return {
    store: { get: (kind, id) => store.get(kind, id), commit },
    blobs,
    metrics,
    clock: options.clock,
    storeIsNearlyFull: () => false,
    log,
  };
}

/** Text of every task's input, by the ids of the batch. */
async function tasksOf(batch: TaskBatch): Promise<readonly (string | undefined)[]> {
  return await Promise.all(
    Array.from({ length: batch.count }, async (_, index) => {
      const task = await api.store.get("tasks", taskIdAt(batch, index));
      if (task === null) return undefined;
      const { where, sha256 } = task.value.input;
      if (where === "store") return (await api.store.bytes("input", task.value.id))?.toString();
      const opened = await api.blobs.open(task.value.teamId, sha256);
      return Buffer.concat((await opened?.stream.toArray()) ?? []).toString();
    }),
  );
}

function total(): number {
  const { teamId, id: serviceId } = service;
  return api.store.view.tasks.list({ teamId, serviceId }, { offset: 0, limit: 0 }).total;
}

test("creates a task of every input, byte for byte and in their order, small and large", async () => {
  const batch = await accepted();
  expect(await expandBatch(deps(), batch)).toMatchObject({ count: COUNT, created: COUNT });
  expect(await tasksOf(batch.value)).toEqual(inputs);
  expect(total()).toBe(COUNT);
});

test("continues where it broke off, at any commit, also where the response to that commit was lost", async () => {
  for (const isLost of [false, true]) {
    for (const brokenAt of [0, 1, 2]) {
      service = await addReadyService(api.store, api.own);
      const batch = await accepted();
      let commits = 0;
      const breaking: Store["commit"] = async (changes) => {
        if (commits++ !== brokenAt) return await api.store.commit(changes);
        if (isLost) await api.store.commit(changes);
        throw new Error("etcd is away");
      };
      await expect(expandBatch(deps(breaking), batch)).rejects.toThrow("etcd is away");
      const done = Math.min(COUNT, 50 * (brokenAt + (isLost ? 1 : 0)));
      expect((await api.store.get("batches", batch.value.id))?.value.created).toBe(done);
      await continueBatches({ ...deps(), store: api.store, metrics: { ...api.metrics } }, () => true);
      expect(await tasksOf(batch.value)).toEqual(inputs);
      expect(total()).toBe(COUNT);
    }
  }
});

test("however many create its tasks at once, each is created once", async () => {
  const batch = await accepted();
  const ends = await Promise.all([1, 2, 3, 4].map(() => expandBatch(deps(), batch)));
  expect(ends.map(({ created }) => created)).toEqual([COUNT, COUNT, COUNT, COUNT]);
  expect(await tasksOf(batch.value)).toEqual(inputs);
  expect(total()).toBe(COUNT);
});

test("stops where the store becomes nearly full, and continues once it has room", async () => {
  const batch = await accepted();
  const nearlyFull = { ...deps(), storeIsNearlyFull: () => total() > 0 };
  expect(await expandBatch(nearlyFull, batch)).toMatchObject({ count: COUNT, created: 50 });
  await continueBatches({ ...nearlyFull, store: api.store, metrics: { ...api.metrics } }, () => true);
  expect(total()).toBe(50);
  await continueBatches({ ...deps(), store: api.store, metrics: { ...api.metrics } }, () => true);
  expect(total()).toBe(COUNT);
  expect(await tasksOf(batch.value)).toEqual(inputs);
});

async function deleteService(): Promise<void> {
  const current = await api.store.get("services", service.id);
  if (current?.value.state.kind !== "ready") return;
  await api.store.commit([replace("services", current, deleted(current.value, Date.now()))]);
}

test("abandons the rest once its service is deleted, also in the moment before a commit", async () => {
  for (const [at, created] of [
    ["after", 50],
    ["before", 0],
  ] as const) {
    service = await addReadyService(api.store, api.own);
    const batch = await accepted();
    const commit: Store["commit"] = async (changes) => {
      if (at === "before") await deleteService();
      const outcome = await api.store.commit(changes);
      if (at === "after") await deleteService();
      return outcome;
    };
    const abandoned = { why: "service_deleted" };
    expect(await expandBatch(deps(commit), batch)).toMatchObject({ created, abandoned });
    expect(total()).toBe(created);
  }
});

test("gives up for this time where every commit meets another writer", async () => {
  const batch = await accepted();
  const conflicting: Store["commit"] = async () => ({ kind: "conflict" });
  await expect(expandBatch(deps(conflicting), batch)).rejects.toThrow(`conflicts on batches/${batch.value.id}`);
});

test("abandons a batch whose inputs are gone, and continues the others", async () => {
  const lost = await accepted({ body: { bytes: 12, sha256: hash("sha256", "lost") } });
  const batch = await accepted();
  await continueBatches({ ...deps(), store: api.store, metrics: { ...api.metrics } }, () => true);
  expect((await api.store.get("batches", lost.value.id))?.value).toMatchObject({
    created: 0,
    abandoned: { why: "inputs_damaged" },
  });
  expect(await tasksOf(batch.value)).toEqual(inputs);
});

test("one that fails holds up no other, and the turn reports it", async () => {
  const failing = await accepted();
  const batch = await accepted();
  const broken = (id: string) => id === failing.value.id;
  const options = { ...deps(), store: api.store, metrics: { ...api.metrics } };
  const get: Store["get"] = (kind, id) =>
    broken(id) ? Promise.reject(new Error("etcd is away")) : api.store.get(kind, id);
  const store = { view: api.store.view, get, commit: options.store.commit.bind(api.store) };
  await expect(continueBatches({ ...options, store }, () => true)).rejects.toThrow("etcd is away");
  expect(await tasksOf(batch.value)).toEqual(inputs);
});
