import { EventEmitter } from "node:events";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EtcdLease, type LeaseContext } from "./etcd-lease.ts";

const TTL_MS = 3_000;
const log = createLog({ name: "test", level: "silent" });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("lives from when its acknowledged renewal was sent, however late the acknowledgement comes", () => {
  const { lease, acknowledge } = granted();
  expect(lease.remainingMs()).toBe(TTL_MS);
  vi.advanceTimersByTime(TTL_MS / 3);
  vi.advanceTimersByTime(800);
  expect(lease.remainingMs()).toBe(TTL_MS - TTL_MS / 3 - 800);
  acknowledge(3n);
  expect(lease.remainingMs()).toBe(TTL_MS - 800);
  lease.stop();
});

test("is over at once where the store says that it has ended", () => {
  const { lease, acknowledge } = granted();
  vi.advanceTimersByTime(TTL_MS / 3);
  acknowledge(0n);
  expect(lease.remainingMs()).toBeLessThanOrEqual(0);
  expect(lease.hasStopped).toBe(true);
});

test("is over when it is not renewed in time", () => {
  const { lease } = granted();
  vi.advanceTimersByTime(TTL_MS);
  expect(lease.remainingMs()).toBeLessThanOrEqual(0);
  lease.stop();
});

/** On a stream whose other end the test plays. */
function granted() {
  const stream = Object.assign(new EventEmitter(), { write: () => true, cancel: () => undefined });
  const opened = { stream, leave: () => undefined, isLeft: () => false };
  const context = {
    calls: { call: async () => ({}) },
    streams: { open: () => opened },
    headers: { revision: () => 1, received: () => undefined },
    log,
  } as unknown as LeaseContext;
  const lease = new EtcdLease(context, 7n, { ttlMs: TTL_MS, sentAtMs: performance.now() });
  const acknowledge = (ttl: bigint) => stream.emit("data", { header: undefined, id: 7n, ttl });
  return { lease, acknowledge };
}
