/** By what agents and coordinators know each other. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Config } from "../config/config.ts";
import { type Authority, openAuthority } from "../enrollment/authority.ts";
import { issueToCoordinator, type ServerCertificate } from "../enrollment/issue.ts";
import { ownHosts } from "../enrollment/own-hosts.ts";
import { readServerTls, type ServerTls } from "../fleet/read-server-tls.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Kv } from "../store/kv.ts";

export interface Trust {
  readonly tls: ServerTls;
  /** Null where certificates are of another authority. */
  readonly own: { readonly authority: Authority; readonly certificate: ServerCertificate } | null;
}

interface TrustOptions {
  readonly config: Config;
  readonly kv: Kv;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** By the certificates that the settings name, or else by those of the coordinators' own authority. */
export async function openTrust({ config, kv, secrets, clock }: TrustOptions): Promise<Trust> {
  const { tlsCa: ca, tlsCert: cert, tlsKey: key } = config;
  if (ca !== null && cert !== null && key !== null) return { tls: readServerTls({ ca, cert, key }), own: null };
  const authority = await openAuthority(kv, secrets, clock);
  const listens = [config.grpcListen, config.enrollListen].flatMap((one) => (one === null ? [] : [one.host]));
  const advertised = [config.grpcAdvertise, config.enrollAdvertise].filter((one) => one !== null);
  const certificate = issueToCoordinator(authority, ownHosts([...listens, ...advertised]));
  const tls = { ca: authority.pem, cert: certificate.chainPem, key: certificate.keyPem };
  return { tls, own: { authority, certificate } };
}
