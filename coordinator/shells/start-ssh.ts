/** The gateway over the records of the store. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { SshMetrics } from "../metrics/ssh-metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Kv } from "../store/kv.ts";
import type { Store } from "../store/store.ts";
import type { Tunnels } from "../tunnels/tunnels.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { readOrCreateHostKey } from "./host-key.ts";
import { RecordDirectory } from "./record-directory.ts";

export interface SshOptions {
  readonly kv: Kv;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly tunnels: Tunnels;
  readonly listen: { readonly host: string; readonly port: number };
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: { readonly ssh: SshMetrics };
}

export async function startSsh(options: SshOptions): Promise<Gateway> {
  const hostKey = await readOrCreateHostKey(options.kv, options.secrets);
  const directory = new RecordDirectory(options);
  const unfollow = directory.start();
  const gateway = await startGateway({ ...options, hostKey, directory, metrics: options.metrics.ssh });
  return {
    address: gateway.address,
    stop: async () => {
      await gateway.stop();
      unfollow();
    },
  };
}
