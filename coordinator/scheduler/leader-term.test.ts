/** A leader decides nothing before its view has what the leader before it wrote. */
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, expect, test } from "vitest";
import { GuardedClock } from "../clocks/guarded-clock.ts";
import type { Service } from "../domain/service.ts";
import { claim, succeed, type Task } from "../domain/task.ts";
import { aNode, anAssignment, aReadyService, aTask, aWorkload } from "../domain/testing/records.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { create, replace } from "../store/change.ts";
import { LEADER_KEY } from "../store/keys.ts";
import type { WatchListener } from "../store/kv.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { LeaderTerm } from "./leader-term.ts";

const NODE = "node-a";
const log = createLog({ name: "test", level: "silent" });
const clock = new GuardedClock({ now: () => Date.now(), monotonicMs: () => performance.now() });
const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

test("claims nothing on a workload that the leader before gave a task, once it knows of that", async () => {
  const memory = new Memory();
  const before = await open(memory);
  const { service, deployment } = aReadyService({ scaling: { min: 1 } });
  const assignment = anAssignment(deployment, NODE);
  await before.store.commit([
    create("services", service),
    create("deployments", deployment),
    create("nodes", aNode(NODE)),
    create("assignments", assignment),
    create("workloads", aWorkload(assignment)),
  ]);
  const next = await open(memory);
  next.holdWatches();
  const [first, second] = [newTask(service), newTask(service)];
  await before.store.commit([create("tasks", first)]);
  const queued = before.store.view.tasks.get(first.id);
  if (queued === undefined) throw new Error("the task is not in the view");
  const on = { nodeId: NODE, sessionId: `session-of-${NODE}`, assignmentId: assignment.id };
  await before.store.commit([replace("tasks", queued, claim(first, on, Date.now()))]);

  const term = await lead(next.store, memory);
  await next.store.commit([create("tasks", second)]);
  expect(term.reserve(newTask(service))).toBeNull();
  // A commit takes longer than the turn that the one before woke.
  await next.store.commit([create("tasks", newTask(service))]);
  next.releaseWatches();
  await expect.poll(() => phaseOf(next.store, first)).toBe("running");
  expect(phaseOf(next.store, second)).toBe("queued");
  const running = next.store.view.tasks.get(first.id);
  if (running === undefined) throw new Error("the task is not in the view");
  const result = { bytes: 2, sha256: "0".repeat(64), where: "store" } as const;
  await next.store.commit([replace("tasks", running, succeed(running.value, result, 1, Date.now()))]);
  await expect.poll(() => phaseOf(next.store, second)).toBe("running");
});

function phaseOf({ view }: Store, { id }: Task): string | undefined {
  return view.tasks.get(id)?.value.phase.kind;
}

function newTask(service: Pick<Service, "id">): Task {
  const createdAt = Date.now();
  return aTask(service, { id: newId(createdAt), createdAt });
}

/** A coordinator's store, whose watches a test can hold back. */
async function open(memory: Memory) {
  const kv = memoryKv(memory);
  const held: (() => void)[] = [];
  let isHeld = false;
  const orLater = (act: () => void) => (isHeld ? void held.push(act) : act());
  const store = await openStore({
    clock,
    log,
    kv: {
      read: kv.read.bind(kv),
      range: kv.range.bind(kv),
      txn: kv.txn.bind(kv),
      lease: kv.lease.bind(kv),
      close: kv.close.bind(kv),
      watch: (prefix, from, listener, signal) => {
        const late: WatchListener = {
          onEvents: (events) => orLater(() => listener.onEvents(events)),
          onProgress: (revision, agoMs) => isHeld || listener.onProgress(revision, agoMs),
          onCurrent: (agoMs) => isHeld || listener.onCurrent?.(agoMs),
          onBroken: (error) => listener.onBroken(error),
        };
        kv.watch(prefix, from, late, signal);
      },
    },
  });
  stops.push(() => void store.close());
  return {
    store,
    holdWatches: () => {
      isHeld = true;
    },
    releaseWatches: () => {
      isHeld = false;
      for (const act of held.splice(0)) act();
    },
  };
}

async function lead(store: Store, memory: Memory): Promise<LeaderTerm> {
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  const { revision: epoch } = await memoryKv(memory).txn(leader);
  const links = { of: () => ({ kind: "linked", lastSeenMs: clock.monotonicMs() }) as const, subscribe: () => () => {} };
  const term = new LeaderTerm(epoch, { store, links, clock, log, metrics: createMetrics() }, () => true);
  stops.push(() => term.stop());
  return term;
}
