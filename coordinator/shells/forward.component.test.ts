/** Forwards lead to the shell's own ports, and nowhere else. */
import type { Client, ClientChannel } from "ssh2";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ended, startServingGateway, type TestGateway } from "./testing/test-gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startServingGateway();
});
afterEach(() => gateway[Symbol.asyncDispose]());

describe("a forward", () => {
  const forward = (client: Client, host: string, to: number): Promise<ClientChannel | string> =>
    new Promise((resolve) =>
      client.forwardOut("127.0.0.1", 1, host, to, (error, channel) => resolve(error?.message ?? channel)),
    );

  test("leads to the shell's own ports", async () => {
    gateway.tunnels.program = async function* (tunnel) {
      yield { of: "stdout", bytes: await tunnel.allInput() };
      return null;
    };
    const channel = (await forward(await gateway.login(), "localhost", 8888)) as ClientChannel;
    channel.end("hello");
    expect((await ended(channel)).out).toBe("hello");
    expect(gateway.tunnels.opened[0]?.kind).toEqual({ kind: "port", port: 8888 });
  });

  test.each(["10.0.0.1", "169.254.169.254", "etcd", "127.0.0.2", "::ffff:127.0.0.1"])(
    "leads not to %s",
    async (host) => {
      expect(await forward(await gateway.login(), host, 2379)).toMatch(/Channel open failure/);
      expect(gateway.tunnels.opened).toEqual([]);
    },
  );

  test("is not made the other way, nor for sockets, agents or displays", async () => {
    const client = await gateway.login();
    const refused = (ask: (done: (error?: Error | null) => void) => void) =>
      new Promise((resolve) => ask((error) => resolve(error instanceof Error)));
    expect(await refused((done) => client.forwardIn("127.0.0.1", 0, done))).toBe(true);
    expect(await refused((done) => client.openssh_forwardInStreamLocal("/x", done))).toBe(true);
    expect(await refused((done) => client.openssh_forwardOutStreamLocal("/run/x", done))).toBe(true);
    expect(await refused((done) => client.exec("x", { x11: true }, done))).toBe(true);
  });
});
