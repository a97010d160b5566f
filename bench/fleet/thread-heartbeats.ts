/** The heartbeats of an agent's thread, here in the one process of all simulated agents. */
import type { Channels } from "@elastic/agent/link/channel.ts";
import { type HeartbeatStream, sendHeartbeats } from "@elastic/agent/link/heartbeat-stream.ts";
import type { LinksOptions } from "@elastic/agent/link/links.ts";
import { SharedContact } from "@elastic/agent/link/shared-contact.ts";
import { systemClock } from "@elastic/std/clock.ts";

const contacts: SharedContact[] = [];
const RESPONDS_EVERY_MS = 1_000;

const respond = (contact: SharedContact): void => contact.onLoopResponds(systemClock.monotonicMs());
setInterval(() => contacts.forEach(respond), RESPONDS_EVERY_MS).unref();

export function threadHeartbeats(channels: Pick<Channels, "fleet">): LinksOptions["heartbeats"] {
  const contact = new SharedContact();
  contacts.push(contact);
  respond(contact);
  const dial = (address: string) => channels.fleet(address);
  const options = { dial, contact, monotonicMs: () => systemClock.monotonicMs(), random: Math.random };
  const streams = new Map<string, HeartbeatStream>();
  const end = (address: string): void => {
    streams.get(address)?.stop();
    streams.delete(address);
  };
  return {
    contact,
    send: (target) => {
      end(target.address);
      streams.set(target.address, sendHeartbeats(target, options));
    },
    end,
  };
}
