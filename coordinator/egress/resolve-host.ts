/** All addresses of a host, as they can be judged. */
import { type IpBytes, parseIp } from "@elastic/std/net/ip-address.ts";
import type { LookUp } from "@elastic/std/net/name-servers.ts";
import { EgressError } from "./egress-error.ts";

export interface HostAddress {
  readonly text: string;
  readonly bytes: IpBytes;
}

/** Of a name that has more, it is not tried which of them is meant. */
const ADDRESSES_MAX = 64;

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
