/**
 * All addresses of a host. Asked of the name servers themselves, each time: the system's own resolver blocks a
 * thread that file access needs too, and cannot be stopped.
 */
import { promises as dns } from "node:dns";
import { EgressError } from "./egress-error.ts";
import { type IpBytes, parseIp } from "./ip-address.ts";

export interface HostAddress {
  readonly text: string;
  readonly bytes: IpBytes;
}

/** The texts of all addresses that a name has; rejects when that cannot be found out. */
export type LookUp = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Of a name that has more, it is not tried which of them is meant. */
const ADDRESSES_MAX = 64;
const NO_SUCH = new Set(["ENODATA", "ENOTFOUND"]);

/** Throws EgressError when there is no address, or one that cannot be read. */
export async function resolveHost(host: string, lookUp: LookUp, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const literal = parseIp(host);
  if (literal !== null) return [{ text: host, bytes: literal }];
  const texts = await lookUp(host, signal).catch((cause: unknown) => {
    throw new EgressError("name_unknown", { cause });
  });
  if (texts.length === 0 || texts.length > ADDRESSES_MAX) throw new EgressError("name_unknown");
  return texts.map((text) => {
    const bytes = parseIp(text);
    if (bytes === null) throw new EgressError("address_refused");
    return { text, bytes };
  });
}

/** A name server that fails one of the two questions could hide half of the answer: then there is none. */
export const askNameServers: LookUp = async (name, signal) => {
  // No name server is asked for this one (RFC 6761).
  if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const families = await Promise.all([
      resolver.resolve4(name).catch(noneIfNoSuch),
      resolver.resolve6(name).catch(noneIfNoSuch),
    ]);
    return families.flat();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

function noneIfNoSuch(error: NodeJS.ErrnoException): readonly string[] {
  if (NO_SUCH.has(error.code ?? "")) return [];
  throw error;
}
