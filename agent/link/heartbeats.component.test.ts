/** The agent's heartbeat thread against a coordinator with a real server, while the agent's event loop is really blocked. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { HeartbeatsRequest, HeartbeatsResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ServerDuplexStream, status } from "@grpc/grpc-js";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders } from "../testing/temporary-folder.ts";
import { TestFleet } from "../testing/test-fleet.ts";
import type { BlockedLoopMessage, BlockedLoopSettings } from "./testing/blocked-loop.ts";

const FENCE_AFTER_MS = 1_000;
const BLOCKED_MS = 2_000;

const fleet = new TestFleet();
afterAll(async () => {
  await fleet.end();
  removeTemporaryFolders();
});

type Call = ServerDuplexStream<HeartbeatsRequest, HeartbeatsResponse>;

/** Blocks the loop of a process with links to a coordinator; says what its fence did on waking. */
async function blockedLoop(address: string): Promise<BlockedLoopMessage> {
  const settings: BlockedLoopSettings = { address, files: fleet.ca.node("n1"), blockedMs: BLOCKED_MS };
  const child = fork(new URL("./testing/blocked-loop.ts", import.meta.url), [JSON.stringify(settings)]);
  try {
    const [message] = (await once(child, "message")) as [BlockedLoopMessage];
    return message;
  } finally {
    child.kill("SIGKILL");
  }
}

test.concurrent("a loop that is blocked for longer than the fence abandons nothing: its thread is acknowledged meanwhile", async () => {
  const received: { readonly request: HeartbeatsRequest; readonly atMs: number }[] = [];
  const coordinator = await fleet.coordinator({
    welcome: () => ({ fenceAfterMs: FENCE_AFTER_MS }),
    heartbeats: (call: Call) => {
      call.on("data", (request: HeartbeatsRequest) => {
        received.push({ request, atMs: performance.now() });
        call.write({ sequence: request.sequence });
      });
    },
  });
  expect(await blockedLoop(coordinator.address)).toEqual({ fences: 0 });
  const silent = received.map(({ request }) => request.loopSilentMs);
  expect(Math.max(...silent)).toBeGreaterThan(BLOCKED_MS - 1_000);
  expect(new Set(received.map(({ request }) => request.linkId))).toEqual(new Set(["link-1"]));
});

test.concurrent("the same loop abandons its work where the coordinator does not have the thread's call", async () => {
  const coordinator = await fleet.coordinator({ welcome: () => ({ fenceAfterMs: FENCE_AFTER_MS }) });
  expect(await blockedLoop(coordinator.address)).toEqual({ fences: 1 });
});

test.concurrent("the same loop abandons its work where the coordinator refuses the thread's heartbeats", async () => {
  const coordinator = await fleet.coordinator({
    welcome: () => ({ fenceAfterMs: FENCE_AFTER_MS }),
    heartbeats: (call: Call) =>
      void call.emit("error", { code: status.FAILED_PRECONDITION, details: "not the newest" }),
  });
  expect(await blockedLoop(coordinator.address)).toEqual({ fences: 1 });
});
