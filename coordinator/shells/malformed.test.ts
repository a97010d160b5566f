import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import type { Client } from "ssh2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { breakIn, damages } from "./testing/broken-client.ts";
import { said } from "./testing/fake-shells.ts";
import { exec, startTestGateway, type TestGateway } from "./testing/test-gateway.ts";

const CLIENTS_AT_ONCE = 12;
const SETTLES = { timeout: 10_000 };

let gateway: TestGateway;
let owner: Client;
beforeAll(async () => {
  gateway = await startTestGateway(async function* (tunnel) {
    yield said("stdout", "in");
    await tunnel.allInput();
    return 0;
  });
  owner = await gateway.login();
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** The owner's connection, which is there all the time, and a new login. */
async function othersAreServed(): Promise<void> {
  for (const client of [owner, await gateway.login()]) {
    const channel = await exec(client, "work");
    const [out] = (await once(channel, "data")) as [Buffer];
    expect(out.toString()).toBe("in");
    channel.end();
    await once(channel.resume(), "close");
    if (client !== owner) client.end();
  }
}

test("a packet that is broken, at whatever stage, disturbs nobody else", { timeout: 120_000 }, async () => {
  const some = fc.array(damages, { minLength: CLIENTS_AT_ONCE, maxLength: CLIENTS_AT_ONCE });
  await fc.assert(
    fc.asyncProperty(some, async (each) => {
      const clients = each.map((damage) => breakIn(gateway, damage));
      const closed = clients.map((client) => new Promise<void>((over) => client.once("close", () => over())));
      await othersAreServed();
      for (const client of clients) client.destroy();
      await Promise.all(closed);
      // What they had opened is closed with them, all but for the owner's.
      await expect.poll(() => gateway.tunnels.opened.every((tunnel) => tunnel.closed || tunnel.inputEnded)).toBe(true);
      gateway.tunnels.opened.length = 0;
    }),
    { numRuns: 12 },
  );
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
  await othersAreServed();
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
