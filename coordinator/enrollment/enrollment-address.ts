/** What a machine needs to be enrolled, in addition to a token. */
import type { Kv } from "../store/kv.ts";
import { type AuthorityDigests, readAuthorityDigests } from "./authority.ts";

export interface EnrollmentAddress {
  /** `host:port` of the listener for enrollment. */
  readonly coordinator: string;
  /** Null before the first coordinator has made the authority. */
  authority(): Promise<AuthorityDigests | null>;
}

/** As configured; null where machines are not enrolled. */
export function enrollmentAddress(
  config: {
    readonly enrollListen: { readonly host: string; readonly port: number } | null;
    readonly enrollAdvertise: string | null;
  },
  kv: Pick<Kv, "read">,
): EnrollmentAddress | null {
  const { enrollListen, enrollAdvertise } = config;
  const coordinator = enrollAdvertise ?? (enrollListen === null ? null : hostAndPort(enrollListen));
  return coordinator === null ? null : { coordinator, authority: () => readAuthorityDigests(kv) };
}

export function hostAndPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
