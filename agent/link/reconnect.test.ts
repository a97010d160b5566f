/** A thousand agents that lose one coordinator in the same moment, by a clock that the test moves and seeded chance. */
import { EventEmitter } from "node:events";
import type { FleetServiceClient, Hello, Welcome } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { seededNumbers } from "@elastic/test/long/seeded-numbers.ts";
import { status } from "@grpc/grpc-js";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Link, openLink } from "./link.ts";

const AGENTS = 1_000;
const SECOND_MS = 1_000;
/** Of a thousand that wait up to five seconds each, with chance for a half of it, about 270 dial in a second. */
const A_SECOND_MAX = 350;
/** The first waits are short, since most links are lost alone. */
const SPREAD_AFTER_S = 10;
const AWAY_S = 25;
/** Of one agent in the first second: after 125 to 250 ms, and after twice and four times as long. */
const FIRST_SECOND_MAX = 3;
/** What an agent waits at most. */
const LONGEST_WAIT_MS = 5_000;

const links: Link[] = [];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  for (const link of links.splice(0)) link.stop();
  vi.useRealTimers();
});

test("spreads the dials of a thousand agents over seconds while their coordinator is away", () => {
  const fleet = linkedFleet();
  fleet.crash();
  vi.advanceTimersByTime(AWAY_S * SECOND_MS);
  const seconds = fleet.dialsOfSeconds();
  expect(Math.max(...seconds)).toBeLessThanOrEqual(FIRST_SECOND_MAX * AGENTS);
  const spread = seconds.slice(SPREAD_AFTER_S, AWAY_S);
  expect(Math.max(...spread)).toBeLessThanOrEqual(A_SECOND_MAX);
  // None gives up.
  expect(Math.min(...spread)).toBeGreaterThan(AGENTS / 10);
});

test("links a thousand agents again within the longest wait, a third of them in any second at most", () => {
  const fleet = linkedFleet();
  fleet.crash();
  vi.advanceTimersByTime(AWAY_S * SECOND_MS);
  fleet.comeBack();
  vi.advanceTimersByTime(LONGEST_WAIT_MS + 1);
  expect(fleet.linked()).toBe(AGENTS);
  expect(Math.max(...fleet.welcomesOfSeconds())).toBeLessThanOrEqual(A_SECOND_MAX);
});

/** All links are up, to a coordinator that the test plays. */
function linkedFleet() {
  let isAway = false;
  let startMs = Date.now();
  let dials: number[] = [];
  let welcomes: number[] = [];
  const streams = new Set<EventEmitter>();
  const dial = (): FleetServiceClient => {
    const connect = () => {
      const stream = Object.assign(new EventEmitter(), { write: () => true, cancel: () => streams.delete(stream) });
      streams.add(stream);
      dials.push(Date.now() - startMs);
      setTimeout(() => respond(stream), 1);
      return stream;
    };
    return { connect, close: () => undefined } as unknown as FleetServiceClient;
  };
  const respond = (stream: EventEmitter): void => {
    if (isAway) {
      stream.emit("error", Object.assign(new Error("connection refused"), { code: status.UNAVAILABLE }));
      return;
    }
    welcomes.push(Date.now() - startMs);
    const value = { coordinatorId: "c1", heartbeatIntervalMs: 24 * 3_600 * SECOND_MS } as Welcome;
    stream.emit("data", { message: { $case: "welcome", value } });
  };
  const numbers = seededNumbers(4711);
  const random = () => numbers(2 ** 32) / 2 ** 32;
  for (let n = 0; n < AGENTS; n++) links.push(openLink({ ...SILENT, dial, random }));
  vi.advanceTimersByTime(2);
  const restart = (): void => {
    startMs = Date.now();
    [dials, welcomes] = [[], []];
  };
  return {
    crash: () => {
      isAway = true;
      restart();
      for (const stream of [...streams]) respond(stream);
    },
    comeBack: () => {
      isAway = false;
      restart();
    },
    linked: () => links.filter((link) => link.up()).length,
    dialsOfSeconds: () => countOfSeconds(dials),
    welcomesOfSeconds: () => countOfSeconds(welcomes),
  };
}

const nothing = (): void => undefined;
const SILENT = {
  address: "c1:1",
  hello: () => ({}) as Hello,
  gpuReadings: () => [],
  onWelcome: nothing,
  onMessage: nothing,
  onDown: nothing,
  onAlive: nothing,
  onCoordinators: nothing,
  onRenewalWanted: nothing,
  needless: () => false,
  isUrgent: () => false,
  clock: { now: () => Date.now(), monotonicMs: () => Date.now() },
  log: pino({ level: "silent" }),
};

function countOfSeconds(timesMs: readonly number[]): readonly number[] {
  const counts: number[] = [];
  for (const ms of timesMs) {
    const second = Math.floor(ms / SECOND_MS);
    while (counts.length <= second) counts.push(0);
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}
