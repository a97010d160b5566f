/** Checks that a coordinator can be reached and takes this node's certificate. Opens no link: that would end one. */
import type { Channels } from "../link/channel.ts";
import { type Check, fail, ok } from "./check.ts";

const TIMEOUT_MS = 5_000;

export async function checkCoordinator(channels: Channels, address: string): Promise<Check> {
  const client = channels.bulk(address);
  try {
    await new Promise<void>((resolve, reject) => {
      client.waitForReady(Date.now() + TIMEOUT_MS, (error) => (error === undefined ? resolve() : reject(error)));
    });
    return ok("coordinator", `${address} answers`);
  } catch (error) {
    const finding = `${address} does not answer: ${(error as Error).message}`;
    return fail("coordinator", finding, "check the address, the firewall, and that both sides use the same CA");
  } finally {
    client.close();
  }
}
