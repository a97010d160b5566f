/** When a link is opened again, by a clock that the test moves. */
import { EventEmitter } from "node:events";
import type { FleetServiceClient, Hello, Welcome } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { status } from "@grpc/grpc-js";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Link, openLink } from "./link.ts";

const MINUTE_MS = 60_000;

const links: Link[] = [];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  for (const link of links.splice(0)) link.stop();
  vi.useRealTimers();
});

test("a link that another agent took over holds off from 5 s on, longer each time up to a minute", () => {
  const { takenOver, redialMs } = linked();
  const waits = Array.from({ length: 6 }, () => {
    takenOver();
    return redialMs();
  });
  expect(waits).toEqual([5_000, 10_000, 20_000, 30_000, 30_000, 30_000]);
});

test("a link that stood for a shorter time than a rival holds off does not make it forget the rival", () => {
  const { takenOver, redialMs } = linked();
  takenOver();
  expect(redialMs()).toBe(5_000);
  vi.advanceTimersByTime(MINUTE_MS);
  takenOver();
  expect(redialMs()).toBe(10_000);
  vi.advanceTimersByTime(2 * MINUTE_MS);
  takenOver();
  expect(redialMs()).toBe(5_000);
});

test("a link that the network lost comes back at once, also after it was taken over", () => {
  const { lost, takenOver, redialMs } = linked();
  lost();
  expect(redialMs()).toBeLessThan(250);
  takenOver();
  expect(redialMs()).toBe(5_000);
  lost();
  expect(redialMs()).toBeLessThan(250);
});

test("a link of a large fleet comes back within the time that was stated, and soon once it is the last one", () => {
  const { lost, redialMs, loseTheOthers } = linked({ reconnectSpreadMs: 10_000, random: 0.5 });
  lost();
  expect(redialMs()).toBe(5_187);
  lost();
  vi.advanceTimersByTime(1_000);
  loseTheOthers();
  expect(redialMs()).toBe(1_687);
});

test("a takeover is an error in the log that says what to do, and a lost network is none", () => {
  const { lost, takenOver, redialMs, errors } = linked();
  lost();
  redialMs();
  expect(errors()).toEqual([]);
  takenOver();
  redialMs();
  expect(errors()).toEqual([expect.stringMatching(/another agent uses this node's certificate.*stop one of them/)]);
});

test("a takeover by another link of the same agent is no error", () => {
  const { takenOver, beNeedless, errors } = linked();
  takenOver();
  beNeedless();
  vi.advanceTimersByTime(MINUTE_MS);
  expect(errors()).toEqual([]);
});

test("an acknowledgement requests a renewal of the certificate only where it says so", () => {
  const { acknowledge } = linked();
  expect([acknowledge(), acknowledge(false), acknowledge(true)]).toEqual([0, 0, 1]);
});

/** A link that is up, to a coordinator that the test plays; of all waits the shortest is taken. */
function linked({ reconnectSpreadMs = 0, random = 0 } = {}) {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  let stream = new EventEmitter();
  let dials = 0;
  let needless = false;
  let isUrgent = false;
  let renewalsWanted = 0;
  const client = {
    connect: () => {
      dials += 1;
      stream = Object.assign(new EventEmitter(), { write: () => true, cancel: () => undefined });
      return stream;
    },
    close: () => undefined,
  } as unknown as FleetServiceClient;
  const nothing = (): void => undefined;
  links.push(
    openLink({
      address: "c1:1",
      dial: () => client,
      hello: () => ({}) as Hello,
      gpuReadings: () => [],
      onWelcome: nothing,
      onMessage: nothing,
      onDown: nothing,
      onAlive: nothing,
      onCoordinators: nothing,
      onRenewalWanted: () => {
        renewalsWanted += 1;
      },
      needless: () => needless,
      isUrgent: () => isUrgent,
      random: () => random,
      clock: { now: () => Date.now(), monotonicMs: () => Date.now() },
      log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    }),
  );
  const welcome = (): void => {
    const value = { coordinatorId: "c1", heartbeatIntervalMs: 24 * 60 * MINUTE_MS, reconnectSpreadMs } as Welcome;
    stream.emit("data", { message: { $case: "welcome", value } });
  };
  const end = (code: number, details: string) => () => {
    stream.emit("error", Object.assign(new Error(details), { code }));
  };
  vi.advanceTimersByTime(1);
  welcome();
  return {
    takenOver: end(status.ABORTED, "a newer link of node n1 has taken over"),
    lost: end(status.UNAVAILABLE, "connection lost"),
    acknowledge: (renewCertificate?: boolean) => {
      const value = { sequence: 1n, coordinatorAddresses: [], renewCertificate };
      stream.emit("data", { message: { $case: "heartbeatAck", value } });
      return renewalsWanted;
    },
    beNeedless: () => {
      needless = true;
    },
    loseTheOthers: () => {
      isUrgent = true;
      for (const link of links) link.hurry();
    },
    /** Until it is dialled and up again. */
    redialMs: (): number => {
      const from = Date.now();
      for (const before = dials; dials === before; ) vi.advanceTimersToNextTimer();
      const waited = Date.now() - from;
      welcome();
      return waited;
    },
    errors: () => lines.filter(({ level }) => level >= 50).map(({ msg }) => msg),
  };
}
