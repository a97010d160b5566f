import { EventEmitter } from "node:events";
import type { FleetServiceClient, HeartbeatsRequest } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type HeartbeatStream, sendHeartbeats, VOUCHED_FOR_MS } from "./heartbeat-stream.ts";
import { SharedContact } from "./shared-contact.ts";

const INTERVAL_MS = 3_000;
const opened: HeartbeatStream[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  for (const stream of opened.splice(0)) stream.stop();
  vi.useRealTimers();
});

/** To a coordinator that acknowledges at once until `state.isSilent`. */
function sending() {
  const state = { dials: 0, closed: 0, isSilent: false, sent: [] as HeartbeatsRequest[], stream: new EventEmitter() };
  const contact = new SharedContact();
  contact.onLoopResponds(Date.now());
  contact.setFenceAfterMs(12_000);
  const dial = () => {
    state.dials += 1;
    const stream = Object.assign(new EventEmitter(), {
      cancel: () => undefined,
      write: (request: HeartbeatsRequest) => {
        state.sent.push(request);
        if (!state.isSilent) queueMicrotask(() => stream.emit("data", { sequence: request.sequence }));
      },
    });
    state.stream = stream;
    return { heartbeats: () => stream, close: () => void state.closed++ } as unknown as FleetServiceClient;
  };
  const target = { address: "c1:1", linkId: "link-1", intervalMs: INTERVAL_MS };
  opened.push(sendHeartbeats(target, { dial, contact, monotonicMs: () => Date.now(), random: () => 1 }));
  return { state, contact };
}

const fail = (stream: EventEmitter, code: status) =>
  stream.emit("error", Object.assign(new Error("it ended"), { code }));

test("sends heartbeats of the link with the time for which the loop was silent, and notes what is acknowledged", async () => {
  const { state, contact } = sending();
  await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
  expect(state.sent).toEqual([
    { linkId: "link-1", sequence: 1n, loopSilentMs: 0 },
    { linkId: "link-1", sequence: 2n, loopSilentMs: INTERVAL_MS },
    { linkId: "link-1", sequence: 3n, loopSilentMs: 2 * INTERVAL_MS },
  ]);
  expect(contact.tooLongSince(Date.now() + 11_999)).toBeNull();
});

test("vouches for a loop that does not respond no longer than two minutes, and again once it responds", async () => {
  const { state, contact } = sending();
  await vi.advanceTimersByTimeAsync(VOUCHED_FOR_MS + INTERVAL_MS);
  const { length } = state.sent;
  expect(state.closed).toBe(1);
  await vi.advanceTimersByTimeAsync(VOUCHED_FOR_MS);
  expect(state.sent).toHaveLength(length);
  contact.onLoopResponds(Date.now());
  await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
  expect(state.sent.length).toBeGreaterThan(length);
});

test("opens a stream again that breaks off, or whose heartbeats are not acknowledged", async () => {
  const { state } = sending();
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  fail(state.stream, status.UNAVAILABLE);
  await vi.advanceTimersByTimeAsync(250);
  expect(state.dials).toBe(2);
  state.isSilent = true;
  await vi.advanceTimersByTimeAsync(6 * INTERVAL_MS);
  expect(state.dials).toBe(3);
  expect(state.closed).toBe(2);
});

test.each([status.ABORTED, status.FAILED_PRECONDITION, status.PERMISSION_DENIED, status.UNAUTHENTICATED])(
  "sends nothing more for a link that the coordinator refuses with status %i",
  async (code) => {
    const { state } = sending();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    const { length } = state.sent;
    fail(state.stream, code);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([state.dials, state.closed]).toEqual([1, 1]);
    expect(state.sent).toHaveLength(length);
  },
);
