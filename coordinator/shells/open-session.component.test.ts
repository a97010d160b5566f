/** Clients that request channels as no client of a user does. */
import { once } from "node:events";
import type { Client } from "ssh2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SESSIONS_PER_CONNECTION_MAX } from "./limits.ts";
import { expectServed } from "./testing/broken-run.ts";
import { exec, startServingGateway, type TestGateway } from "./testing/test-gateway.ts";

interface Insides {
  readonly _protocol: {
    session(channel: number, window: number, packetBytes: number): void;
    directTcpip(channel: number, window: number, packetBytes: number, to: object): void;
    exec(channel: number, command: string, wantsReply: boolean): void;
    channelClose(channel: number): void;
  };
}

const WINDOW = 2 ** 21;
const PACKET = 2 ** 15;
/** Beyond those that the client's library gives out. */
const OWN = 1_000;

let gateway: TestGateway;
let owner: Client;
beforeAll(async () => {
  gateway = await startServingGateway();
  owner = await gateway.login();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const protocolOf = (client: Client) => (client as unknown as Insides)._protocol;

test.each([1, 0, 1023])("a client that takes packets of %i bytes is cut off, and others are served", async (bytes) => {
  for (const openChannel of [
    (client: Client) => {
      protocolOf(client).session(OWN, WINDOW, bytes);
      protocolOf(client).exec(0, "flood", true);
    },
    (client: Client) => {
      const to = { srcIP: "127.0.0.1", srcPort: 1, dstIP: "localhost", dstPort: 80 };
      protocolOf(client).directTcpip(OWN, WINDOW, bytes, to);
    },
  ]) {
    const client = await gateway.login();
    const closed = once(client, "close");
    openChannel(client);
    await closed;
    await expectServed(gateway, owner);
  }
  await expect.poll(() => gateway.tunnels.opened.every(({ closed, inputEnded }) => closed || inputEnded)).toBe(true);
});

test("sessions count while they are open, also those in which nothing runs", async () => {
  const client = await gateway.login();
  const protocol = protocolOf(client);
  for (let n = 0; n < SESSIONS_PER_CONNECTION_MAX; n += 1) protocol.session(OWN + n, WINDOW, PACKET);
  await expect(exec(client, "one more")).rejects.toThrow("Channel open failure");
  // As the gateway counts them.
  for (let n = 0; n < SESSIONS_PER_CONNECTION_MAX; n += 1) protocol.channelClose(n);
  const channel = await exec(client, "again");
  channel.end();
  await once(channel.resume(), "close");
  client.end();
});
