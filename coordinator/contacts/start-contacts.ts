/** Shares with the other coordinators which nodes are heard here, and says of each node whether any of them hears it. */
import type { Logger } from "@elastic/std/log.ts";
import { combined, type LinkLiveness } from "../domain/link-liveness.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { StoreChangedError } from "../store/kv.ts";
import { ContactExchange, type ContactExchangeOptions } from "./contact-exchange.ts";

const EVERY_MS = 500;

export interface Contacts extends LinkLiveness {
  stop(): Promise<void>;
}

export interface ContactsOptions extends Omit<ContactExchangeOptions, "lastSeen"> {
  readonly links: LinkLiveness & Pick<ContactExchangeOptions, "lastSeen">;
  readonly loops: LoopMetrics;
  readonly log: Logger;
}

export function startContacts(options: ContactsOptions): Contacts {
  const { links, loops, log } = options;
  const exchange = new ContactExchange({ ...options, lastSeen: () => links.lastSeen() });
  const loop = startMeteredLoop({
    name: "share_contacts",
    everyMs: EVERY_MS,
    // That it is another store is logged by whoever found it out.
    turn: () =>
      exchange.turn().catch((error: unknown) => {
        if (!(error instanceof StoreChangedError)) throw error;
      }),
    loops,
    log,
    failure: "the nodes that are heard here could not be shared with the other coordinators",
    // Whoever writes to etcd logs that it is away.
    failureLevel: "debug",
  });
  return {
    of: (nodeId) => combined(links.of(nodeId), exchange.of(nodeId)),
    stop: async () => {
      await loop.stop();
      await exchange.stop();
    },
  };
}
