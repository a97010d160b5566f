/** A shell or a build gets one place, also where the response to its creation is lost and the place is gone before it is sent again. */
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GuardedClock } from "../../clocks/guarded-clock.ts";
import { succeeded } from "../../domain/build.ts";
import type { Shell } from "../../domain/shell.ts";
import { aBuild, aNode, aShell } from "../../domain/testing/records.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { create, remove, replace } from "../../store/change.ts";
import { LEADER_KEY, recordPrefix } from "../../store/keys.ts";
import { type Kv, type KvEvent, OutcomeUnknownError } from "../../store/kv.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { LeaderTerm } from "../leader-term.ts";

const ASSIGNMENTS = recordPrefix("assignments");
const log = createLog({ name: "test", level: "silent" });
const clock = new GuardedClock({ now: () => Date.now(), monotonicMs: () => performance.now() });

let kv: MemoryKv;
let store: Store;
let term: LeaderTerm;
let watching: AbortController;
/** Each time that an assignment was written. */
let created: string[];
/** Once it resolves the leader learns that the response to its first creation was lost. */
let lost: PromiseWithResolvers<void>;

beforeEach(async () => {
  created = [];
  lost = Promise.withResolvers();
  watching = new AbortController();
  kv = memoryKv();
  store = await openStore({ kv: losing(kv), clock, log });
  const onEvents = (events: readonly KvEvent[]) => {
    for (const event of events) if (event.kind === "put") created.push(event.entry.key);
  };
  const onBroken = (error: Error) => {
    throw error;
  };
  kv.watch(ASSIGNMENTS, 1, { onEvents, onProgress: () => undefined, onBroken }, watching.signal);
  const node = aNode("node-a");
  const inventory = { ...node.inventory, memoryBytes: 2 ** 40, builds: 1, engine: { name: "docker", version: "1" } };
  await store.commit([create("nodes", { ...node, inventory })]);
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  const { revision: epoch } = await kv.txn(leader);
  const links = { of: () => ({ kind: "linked", lastSeenMs: clock.monotonicMs() }) as const, subscribe: () => () => {} };
  term = new LeaderTerm(epoch, { store, links, clock, log, metrics: createMetrics() }, () => true);
});
afterEach(async () => {
  term.stop();
  watching.abort();
  await store.close();
  await kv.close();
});

/** The first transaction that writes an assignment is applied, and its response lost. */
function losing(from: Kv): Kv {
  let isFirst = true;
  return {
    read: from.read.bind(from),
    range: from.range.bind(from),
    watch: from.watch.bind(from),
    lease: from.lease.bind(from),
    close: from.close.bind(from),
    txn: async (txn) => {
      const outcome = await from.txn(txn);
      if (!isFirst || !txn.puts.some(({ key }) => key.startsWith(ASSIGNMENTS))) return outcome;
      isFirst = false;
      await lost.promise;
      throw new OutcomeUnknownError("the response was lost");
    },
  };
}

/** Whose run begins now. */
function newShell(): Shell {
  const now = Date.now();
  const state = { kind: "creating", since: now, waitingFor: null } as const;
  return aShell({ id: newId(now), createdAt: now, runSince: now, usedAt: now, state });
}

async function placed() {
  await expect.poll(() => created.length, { interval: 1 }).toBe(1);
  const [assignment] = [...store.view.assignments.values()];
  if (assignment === undefined) throw new Error("the view has no assignment");
  return assignment;
}

/** By when the leader has settled the creation: it decides for what comes after it. */
async function settled(): Promise<void> {
  lost.resolve();
  const next = newShell();
  await store.commit([create("shells", next)]);
  await expect.poll(() => store.view.shells.get(next.id)?.value.nodeId).toBe("node-a");
}

test("a build that ended before its creation was settled runs once", async () => {
  const build = aBuild();
  await store.commit([create("builds", build)]);
  const place = await placed();
  const running = await store.get("builds", build.id);
  if (running === null) throw new Error("the build is gone");
  const image = { digest: `sha256:${"0".repeat(64)}`, imageBytes: 1 };
  await store.commit([
    replace("builds", running, succeeded(running.value, image, clock.now())),
    remove("assignments", place),
  ]);
  await settled();
  expect(created.filter((key) => key.endsWith(place.value.id))).toHaveLength(1);
  expect(store.view.builds.get(build.id)?.value).toMatchObject({ runs: 1, state: { kind: "succeeded" } });
});

test("a shell whose place was removed before its creation was settled does not get that place again", async () => {
  const shell = newShell();
  await store.commit([create("shells", shell)]);
  const place = await placed();
  await store.commit([remove("assignments", place)]);
  await settled();
  expect(created.filter((key) => key.endsWith(place.value.id))).toHaveLength(1);
});
