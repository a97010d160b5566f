/** What a view is worth whose member of etcd is cut off from the others, while the coordinator still reaches it. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aNode } from "../../domain/testing/records.ts";
import { create } from "../change.ts";
import { connectEtcd } from "../etcd/etcd-kv.ts";
import { openStore } from "../open/open-store.ts";
import type { Store } from "../store.ts";
import { type SecuredEtcd, startSecuredEtcd } from "../testing/secured-etcd.ts";

/** Of a view by which keys are checked (http/access/fresh-view.ts). */
const AGE_MAX_MS = 1_000;

const log = createLog({ name: "test", level: "silent" });
const closing = new AsyncDisposableStack();
let etcd: SecuredEtcd;

beforeAll(async () => {
  etcd = closing.use(await startSecuredEtcd({ canIsolate: true }));
}, 60_000);
afterAll(() => closing.disposeAsync());

async function open(endpoints: readonly string[]): Promise<Store> {
  const kv = connectEtcd({ endpoints, access: etcd.access, log });
  const store = await openStore({ kv, clock: systemClock, log });
  closing.defer(async () => {
    await store.close();
    await kv.close();
  });
  return store;
}

test("is believed for no longer than five seconds, whichever member it is", { timeout: 90_000 }, async () => {
  const { endpoints, members, peers } = etcd.cluster;
  const observed = await open(endpoints);
  for (const [at, member] of members.entries()) {
    const majority = await open(endpoints.filter((_, other) => other !== at));
    peers?.isolate(member.name);
    const node = aNode(`node-${at}`);
    await expect.poll(() => commits(majority, node), { timeout: 15_000 }).toBe(true);
    const writtenMs = performance.now();
    let wrongMs = 0;
    const knows = () => {
      if (observed.view.nodes.get(node.id) !== undefined) return true;
      if (observed.view.ageMs() <= AGE_MAX_MS) wrongMs = performance.now() - writtenMs;
      return false;
    };
    await expect.poll(knows, { timeout: 15_000, interval: 10 }).toBe(true);
    expect(wrongMs).toBeLessThan(5_000);
    peers?.heal();
  }
});

async function commits(store: Store, node: ReturnType<typeof aNode>): Promise<boolean> {
  return await store.commit([create("nodes", node)]).then(
    // A conflict is with its own write, whose response was lost.
    () => true,
    () => false,
  );
}
