import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aGpu, aNode } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { GPU_CHANGES } from "./limits.ts";
import { nodeBounds } from "./node-bounds.ts";
import { receiveGpuHealth } from "./receive-gpu-health.ts";

const log = createLog({ name: "test", level: "silent" });

let nowMs: number;
let kv: MemoryKv;
let store: Store;
beforeEach(async () => {
  nowMs = 1_000_000;
  kv = memoryKv();
  store = await openStore({ kv, clock: { now: () => nowMs, monotonicMs: () => nowMs }, log });
  await store.commit([create("nodes", aNode("node-a", { gpus: [aGpu("GPU-1"), aGpu("GPU-2")] }))]);
});
afterEach(async () => {
  await store.close();
  await kv.close();
});

test("bounds how often a GPU that alternates is written, and keeps it unhealthy beyond that; another that breaks is written", async () => {
  const bounds = nodeBounds({ monotonicMs: () => nowMs });
  const report = (uuid: string, unhealthyReason: string) =>
    receiveGpuHealth({ store, bounds, log }, "node-a", [{ uuid, unhealthyReason }]);
  const node = () => store.view.nodes.get("node-a");
  const reasons = () => node()?.value.inventory.gpus.map(({ unhealthyReason }) => unhealthyReason);
  for (let change = 0; change < GPU_CHANGES.max; change++) await report("GPU-1", change % 2 === 0 ? "Xid 79" : "");
  expect(reasons()).toEqual([null, null]);
  await report("GPU-1", "Xid 79");
  const { revision } = node() ?? {};
  for (const reason of ["", "Xid 48", ""]) await report("GPU-1", reason);
  expect([node()?.revision, reasons()]).toEqual([revision, ["Xid 79", null]]);
  await report("GPU-2", "Xid 48");
  expect(reasons()).toEqual(["Xid 79", "Xid 48"]);
  nowMs += GPU_CHANGES.withinMs;
  await report("GPU-1", "");
  expect(reasons()).toEqual([null, "Xid 48"]);
});
