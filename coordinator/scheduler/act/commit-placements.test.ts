import { pino } from "pino";
import { expect, test } from "vitest";
import { GuardedClock } from "../../clocks/guarded-clock.ts";
import { aNode, aReadyService, aWorkload } from "../../domain/testing/records.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { create } from "../../store/change.ts";
import { LEADER_KEY, recordPrefix } from "../../store/keys.ts";
import { type Kv, type KvEvent, OutcomeUnknownError } from "../../store/kv.ts";
import { memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import { LeaderTerm } from "../leader-term.ts";

const ASSIGNMENTS = recordPrefix("assignments");

test("creates no workload again that failed and was removed while the response to its creation was lost", async () => {
  const placed: unknown[] = [];
  const onLine = (line: string) => {
    const { msg, assignmentId } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (msg === "placed a workload") placed.push(assignmentId);
  };
  const log = pino({ level: "info" }, { write: onLine });
  const clock = new GuardedClock({ now: () => Date.now(), monotonicMs: () => performance.now() });
  const kv = memoryKv();
  /** The response to the first creation is lost, and that shows only later. */
  const lost = Promise.withResolvers<void>();
  let isFirst = true;
  const losing: Kv = {
    read: kv.read.bind(kv),
    range: kv.range.bind(kv),
    watch: kv.watch.bind(kv),
    lease: kv.lease.bind(kv),
    close: kv.close.bind(kv),
    txn: async (txn) => {
      const outcome = await kv.txn(txn);
      if (!isFirst || !txn.puts.some(({ key }) => key.startsWith(ASSIGNMENTS))) return outcome;
      isFirst = false;
      await lost.promise;
      throw new OutcomeUnknownError("the response was lost");
    },
  };
  const store = await openStore({ kv: losing, clock, log });
  const created: string[] = [];
  const onEvents = (events: readonly KvEvent[]) => {
    for (const event of events) if (event.kind === "put") created.push(event.entry.key);
  };
  const watching = new AbortController();
  const onBroken = (error: Error) => {
    throw error;
  };
  kv.watch(ASSIGNMENTS, 1, { onEvents, onProgress: () => undefined, onBroken }, watching.signal);
  const { service, deployment } = aReadyService({ scaling: { min: 1 } });
  await store.commit([
    create("services", service),
    create("deployments", deployment),
    create("nodes", aNode("node-a")),
  ]);
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  const { revision: epoch } = await kv.txn(leader);
  const links = { of: () => ({ kind: "linked", lastSeenMs: clock.monotonicMs() }) as const, subscribe: () => () => {} };
  const term = new LeaderTerm(epoch, { store, links, clock, log, metrics: createMetrics() }, () => true);

  await expect.poll(() => created.length, { interval: 1 }).toBe(1);
  const [assignment] = [...store.view.assignments.values()];
  if (assignment === undefined) throw new Error("the view has no assignment");
  const failure = { step: null, reason: "internal", message: "it failed", exitCode: null, logTail: "" } as const;
  await store.commit([create("workloads", aWorkload(assignment.value, { phase: "failed", failure }))]);
  // The leader has decided by when it places the next.
  await expect.poll(() => new Set(created).size).toBe(2);
  lost.resolve();
  await expect.poll(() => placed).toContain(assignment.value.id);
  expect(created.filter((key) => key.endsWith(assignment.value.id))).toHaveLength(1);
  await expect.poll(() => store.view.assignments.get(assignment.value.id)).toBeUndefined();

  term.stop();
  watching.abort();
  await store.close();
  await kv.close();
});
