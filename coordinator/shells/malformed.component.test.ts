import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import type { Client } from "ssh2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { breakPackets, expectServed } from "./testing/broken-run.ts";
import { exec, startServingGateway, type TestGateway } from "./testing/test-gateway.ts";

const RUNS = 12;
const SETTLES = { timeout: 10_000 };

let gateway: TestGateway;
let owner: Client;
beforeAll(async () => {
  gateway = await startServingGateway();
  owner = await gateway.login();
});
afterAll(() => gateway[Symbol.asyncDispose]());

test("a packet that is broken, at whatever stage, disturbs nobody else", { timeout: 120_000 }, async () => {
  await breakPackets(gateway, owner, RUNS);
});

test("random bytes, before and after the client has said what it speaks, end their connection", async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 4096 });
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom("", "SSH-2.0-x\r\n"), async (random, said) => {
      const socket = connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      const closed = once(socket.resume(), "close");
      socket.end(Buffer.concat([Buffer.from(said), random, Buffer.from("\r\n")]));
      await closed;
    }),
    { numRuns: 100 },
  );
  await expectServed(gateway, owner);
}, 60_000);

test("a client whose window is endless and who does not read makes the program wait", async () => {
  const piece = Buffer.alloc(64 * 1024, "x");
  let made = 0;
  gateway.tunnels.program = async function* () {
    for (; made < 2_000; made++) yield { of: "stdout", bytes: piece };
    return 0;
  };
  const client = await gateway.login();
  const { _protocol: protocol, _sock: socket } = client as unknown as Insides;
  const channel = await exec(client, "flood");
  socket.pause();
  protocol.channelWindowAdjust(0, 2 ** 32 - 1 - 2 ** 22);
  await expect.poll(() => made).toBeGreaterThan(20);
  let last = -1;
  await expect
    .poll(
      () => {
        const same = made === last;
        last = made;
        return same;
      },
      { ...SETTLES, interval: 300 },
    )
    .toBe(true);
  // What the kernel holds for a connection, and what the gateway may: far from the 125 MiB that there are.
  expect(made * piece.length).toBeLessThan(32 * 1024 * 1024);
  channel.destroy();
  client.destroy();
});

interface Insides {
  readonly _protocol: { channelWindowAdjust(channel: number, bytes: number): void };
  readonly _sock: { pause(): void };
}
