import fc from "fast-check";
import type { Registry } from "prom-client";
import { expect, test } from "vitest";
import { aReading } from "../gpus/testing/readings.ts";
import { TrackedGpu } from "../gpus/tracked-gpu.ts";
import { addGpuInstruments } from "./gpu-instruments.ts";
import { createInstruments } from "./instruments.ts";

const nothing = () => 0;
const GPU = new TrackedGpu(aReading("GPU-1"));

function instruments() {
  const own = createInstruments({
    workloadPhases: () => ["ready"],
    attemptsRunning: nothing,
    outcomesPending: nothing,
    outcomesSpooled: nothing,
    logBytesWaiting: nothing,
    volumeBytes: nothing,
    disksUnderPressure: nothing,
    linksUp: nothing,
    gpus: nothing,
    engines: nothing,
    egressPolicies: nothing,
    certificateValidity: () => ({ fromMs: 0, toMs: 86_400_000 }),
  });
  return { ...own, gpus: addGpuInstruments(own.registry, () => [GPU]) };
}

/** What may distinguish the series of one agent: what its machine has, and what the code lists. */
const CLOSED_LISTS = [
  "commit",
  "le",
  "model",
  "node",
  "outcome",
  "phase",
  "quantile",
  "reason",
  "stage",
  "uuid",
  "version",
  "xid",
];

test("has no label but those whose values are closed lists", async () => {
  const { registry, gpus, onAttemptEnded, onStarted } = instruments();
  gpus.onXid(GPU, 79);
  onAttemptEnded({ outcome: { kind: "cancelled" }, waitMs: 1, runMs: 1 });
  onStarted(new Map([["pull", 1]]));
  const labels = (await registry.metrics()).matchAll(/[{,](\w+)="/g);
  expect([...new Set([...labels].map(([, name]) => name))].toSorted()).toEqual(CLOSED_LISTS);
});

test("has as many series after any errors of a driver as after those that are known by number", async () => {
  const { registry, gpus } = instruments();
  const before = await xids(registry);
  fc.assert(fc.property(fc.integer({ min: 200, max: 1e9 }), (xid) => void gpus.onXid(GPU, xid)));
  expect(await xids(registry)).toEqual([...before, "other"].toSorted());
});

test("has at 0 what alerts look for, so that the first of a kind is growth", async () => {
  const { registry } = instruments();
  const text = await registry.metrics();
  expect(text).toContain('elastic_agent_attempts_total{outcome="gpu_fault"} 0');
  for (const xid of ["48", "64", "79", "95"]) expect(text).toMatch(new RegExp(`xids_total{.*xid="${xid}"} 0`));
});

async function xids(registry: Registry): Promise<readonly string[]> {
  const found = (await registry.metrics()).matchAll(/xid="([^"]*)"/g);
  return [...found].map(([, xid = ""]) => xid).toSorted();
}
