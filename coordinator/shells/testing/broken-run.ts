/** Clients that break packets, many at a time, while one is served all the time. */
import { once } from "node:events";
import fc from "fast-check";
import type { Client } from "ssh2";
import { expect } from "vitest";
import { breakIn, damages } from "./broken-client.ts";
import { exec, type TestGateway } from "./test-gateway.ts";

const CLIENTS_AT_ONCE = 12;

/** `owner` was in before. A failure says how to repeat it. */
export async function breakPackets(gateway: TestGateway, owner: Client, numRuns: number): Promise<void> {
  const some = fc.array(damages, { minLength: CLIENTS_AT_ONCE, maxLength: CLIENTS_AT_ONCE });
  await fc.assert(
    fc.asyncProperty(some, async (each) => {
      const clients = each.map((damage) => breakIn(gateway, damage));
      const closed = clients.map((client) => new Promise<void>((over) => client.once("close", () => over())));
      await expectServed(gateway, owner);
      for (const client of clients) client.destroy();
      await Promise.all(closed);
      // What they had opened is closed with them.
      await expect.poll(() => gateway.tunnels.opened.every((tunnel) => tunnel.closed || tunnel.inputEnded)).toBe(true);
      gateway.tunnels.opened.length = 0;
    }),
    { numRuns },
  );
}

/** On a connection that is there all the time, and on a new one. */
export async function expectServed(gateway: TestGateway, owner: Client): Promise<void> {
  for (const client of [owner, await gateway.login()]) {
    const channel = await exec(client, "work");
    const [out] = (await once(channel, "data")) as [Buffer];
    expect(out.toString()).toBe("in");
    channel.end();
    await once(channel.resume(), "close");
    if (client !== owner) client.end();
  }
}
