import { PassThrough } from "node:stream";
import { ExecTunnel } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import type Docker from "dockerode";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runExec } from "./exec-tunnel.ts";
import { NoTunnel, type ShellContainer } from "./shell-container.ts";
import { TunnelCall, type TunnelStream } from "./tunnel-call.ts";

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);
beforeEach(() => void process.on("unhandledRejection", onUnhandled));
afterEach(() => {
  process.off("unhandledRejection", onUnhandled);
  unhandled.length = 0;
});

/** A program that runs on, in a container of which the engine says that it does not run. */
function programIn(pid: () => Promise<number>) {
  const stream = new PassThrough();
  const exec = {
    start: async () => stream,
    inspect: async () => ({ Running: true, Pid: process.pid, ExitCode: null }),
  };
  const container = { exec: async () => exec } as unknown as Docker.Container;
  const shell: ShellContainer = { container, pid, isRunning: async () => false };
  return { shell, stream };
}

test.each(["HUP", "TERM"])("blames no agent for a container that stops as its program receives %s", async (name) => {
  const requested: string[] = [];
  const { shell, stream } = programIn(async () => {
    requested.push(name);
    throw new NoTunnel("the shell's container is not running");
  });
  const call = Object.assign(new PassThrough({ objectMode: true }), { cancel: () => call.destroy() });
  const over = runExec(shell, ExecTunnel.fromPartial({ command: "sleep 1" }), () => {
    return new TunnelCall(call as unknown as TunnelStream);
  });
  if (name !== "HUP") {
    await expect.poll(() => call.listenerCount("data")).toBe(1);
    call.emit("data", { message: { $case: "signal", value: name } });
    await expect.poll(() => requested.length).toBe(1);
    expect(call.destroyed).toBe(false);
  }
  await expect.poll(() => call.listenerCount("close")).toBeGreaterThan(0);
  call.destroy();
  await over;
  expect(stream.destroyed).toBe(true);
  expect(requested.length).toBeGreaterThan(0);
  expect(unhandled).toEqual([]);
});
