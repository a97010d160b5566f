/** By what agents and coordinators know each other. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Config } from "../config/config.ts";
import { LiveAuthority } from "../enrollment/live-authority.ts";
import { ownHosts } from "../enrollment/own-hosts.ts";
import { ownTls } from "../fleet/own-tls.ts";
import { fixedTls, readServerTls, type ServerTlsSource } from "../fleet/read-server-tls.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Kv } from "../store/kv.ts";

export interface Trust {
  readonly tls: ServerTlsSource;
  /** Null where certificates are of another authority. */
  readonly authority: LiveAuthority | null;
}

interface TrustOptions {
  readonly config: Config;
  readonly kv: Kv;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Logger;
}

/** By the certificates that the settings name, or else by those of the coordinators' own authority. `starting` ends it. */
export async function openTrust(options: TrustOptions, starting: AsyncDisposableStack): Promise<Trust> {
  const { config } = options;
  const { tlsCa: ca, tlsCert: cert, tlsKey: key } = config;
  if (ca !== null && cert !== null && key !== null) {
    return { tls: fixedTls(readServerTls({ ca, cert, key })), authority: null };
  }
  const authority = await LiveAuthority.open(options);
  starting.defer(authority.start());
  const listens = [config.grpcListen, config.enrollListen].flatMap((one) => (one === null ? [] : [one.host]));
  const advertised = [config.grpcAdvertise, config.enrollAdvertise].filter((one) => one !== null);
  return { tls: ownTls(authority, ownHosts([...listens, ...advertised])), authority };
}
