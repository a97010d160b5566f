import { Writable } from "node:stream";
import { systemClock } from "@elastic/std/clock.ts";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aNewService } from "../../domain/testing/records.ts";
import { create, replace } from "../../store/change.ts";
import { LEADER_KEY } from "../../store/keys.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Change, Store } from "../../store/store.ts";
import { Committer } from "./committer.ts";

let kv: MemoryKv;
let store: Store;
let committer: Committer;
let epoch: number;
const conflicted = vi.fn();
const lines: string[] = [];
beforeEach(async () => {
  lines.length = 0;
  conflicted.mockClear();
  const log = pino(
    new Writable({
      write: (line, _encoding, done) => {
        lines.push(JSON.parse(String(line)).msg);
        done();
      },
    }),
  );
  kv = memoryKv();
  store = await openStore({ kv, clock: systemClock, log: pino({ level: "silent" }) });
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  const outcome = await kv.txn(leader);
  epoch = outcome.revision;
  committer = new Committer({ store, epoch, clock: systemClock, log, conflicted, wake: () => undefined });
});
afterEach(async () => {
  committer.stop();
  await store.close();
  await kv.close();
});

function settled(changes: readonly Change[]): Promise<"committed" | "refused"> {
  return new Promise((resolve) => {
    committer.commit(changes, { committed: () => resolve("committed"), refused: () => resolve("refused") });
  });
}

test("a decision that still holds is committed", async () => {
  const service = aNewService();
  expect(await settled([create("services", service)])).toBe("committed");
  expect(store.view.services.get(service.id)?.value).toEqual(service);
});

test("a decision that was overtaken is refused after a moment, and counted", async () => {
  const service = aNewService();
  await settled([create("services", service)]);
  const stale = { value: service, revision: 1 };
  expect(await settled([replace("services", stale, service)])).toBe("refused");
  expect(conflicted).toHaveBeenCalledTimes(1);
});

test("what another leader could have decided meanwhile is refused", async () => {
  await kv.txn({ compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("another") }], deletes: [] });
  expect(await settled([create("services", aNewService())])).toBe("refused");
  expect([...store.view.services.values()]).toEqual([]);
});

test("while the store is away deciding waits, which is said once, and so is its return", async () => {
  kv.faults.away = true;
  const many = [1, 2, 3].map(() => settled([create("services", aNewService())]));
  await expect.poll(() => committer.isPaused(), { interval: 5 }).toBe(true);
  expect(await Promise.all(many)).toEqual(["refused", "refused", "refused"]);
  expect(await settled([create("services", aNewService())])).toBe("refused");
  kv.faults.away = false;
  expect(await settled([create("services", aNewService())])).toBe("committed");
  expect(committer.isPaused()).toBe(false);
  expect(lines).toEqual(["the store is away; scheduling waits", "the store is back; scheduling resumes"]);
});
