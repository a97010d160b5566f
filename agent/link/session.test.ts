import { EventEmitter } from "node:events";
import type { ConnectRequest, FleetServiceClient, Hello, Welcome } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSession } from "./session.ts";

const INTERVAL_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("counts contact from when the acknowledged heartbeat was sent, however late its acknowledgement comes", () => {
  const { aliveMs, welcome, acknowledge, end } = session();
  vi.advanceTimersByTime(300);
  welcome();
  vi.advanceTimersByTime(INTERVAL_MS);
  vi.advanceTimersByTime(700);
  acknowledge(1n);
  // The hello was sent at the beginning, the heartbeat an interval after the welcome.
  expect(aliveMs).toEqual([0, 300 + INTERVAL_MS]);
  acknowledge(1n);
  acknowledge(9n);
  expect(aliveMs).toHaveLength(2);
  end();
});

/** To a coordinator that the test plays. */
function session() {
  const startMs = Date.now();
  const sent: ConnectRequest[] = [];
  const stream = Object.assign(new EventEmitter(), {
    write: (message: ConnectRequest) => void sent.push(message),
    cancel: () => undefined,
  });
  const client = { connect: () => stream, close: () => undefined } as unknown as FleetServiceClient;
  const clock = { now: () => Date.now(), monotonicMs: () => Date.now() };
  const aliveMs: number[] = [];
  const nothing = () => undefined;
  const { end } = openSession(
    { client, hello: {} as Hello, gpuReadings: () => [], clock },
    {
      onWelcome: nothing,
      onMessage: nothing,
      onAlive: (sentAtMs) => void aliveMs.push(sentAtMs - startMs),
      onCoordinators: nothing,
      onRenewalWanted: nothing,
      onEnd: nothing,
    },
  );
  const receive = ($case: string, value: object) => stream.emit("data", { message: { $case, value } });
  return {
    aliveMs,
    end,
    welcome: () => receive("welcome", { coordinatorId: "c1", heartbeatIntervalMs: INTERVAL_MS } as Welcome),
    acknowledge: (sequence: bigint) => receive("heartbeatAck", { sequence, coordinatorAddresses: [] }),
  };
}
