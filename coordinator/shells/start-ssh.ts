/** The gateway with the host key that all gateways share. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { SshMetrics } from "../metrics/ssh-metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Kv } from "../store/kv.ts";
import type { Tunnels } from "../tunnels/tunnels.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { readOrCreateHostKey } from "./host-key.ts";
import type { ShellDirectory } from "./shell-directory.ts";

export interface SshOptions {
  readonly kv: Kv;
  readonly directory: ShellDirectory;
  readonly secrets: Secrets;
  readonly tunnels: Tunnels;
  readonly listen: { readonly host: string; readonly port: number };
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: { readonly ssh: SshMetrics };
}

export async function startSsh(options: SshOptions): Promise<Gateway> {
  const hostKey = await readOrCreateHostKey(options.kv, options.secrets);
  return await startGateway({ ...options, hostKey, metrics: options.metrics.ssh });
}
