/**
 * Where the operator lets requests go although the guard would refuse: ranges of addresses, at any port, and
 * `host:port` for one port of one host, wherever its name leads. Plain http is allowed there too. Pure.
 */
import { type IpBytes, type IpRange, isInRange, parseIp, parseRange } from "@elastic/std/net/ip-address.ts";

export type AllowRule =
  | { readonly kind: "range"; readonly range: IpRange }
  | { readonly kind: "host"; readonly host: string; readonly port: number };

/** Where a request goes: a name or address as in a URL, without brackets or the dot at its end. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

const HOST_RULE = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/;

/** Null for text that is no rule. */
export function parseAllowRule(text: string): AllowRule | null {
  const range = parseRange(text);
  if (range !== null) return { kind: "range", range };
  const match = HOST_RULE.exec(text.toLowerCase());
  const port = Number(match?.[2]);
  if (match?.[1] === undefined || port < 1 || port > 65_535) return null;
  return { kind: "host", host: match[1].replace(/^\[|\]$/g, "").replace(/\.$/, ""), port };
}

/** Whether the host is allowed by its name, whatever it resolves to. */
export function isHostAllowed(rules: readonly AllowRule[], { host, port }: Destination): boolean {
  return rules.some((rule) => rule.kind === "host" && rule.host === host && rule.port === port);
}

export function isAddressAllowed(rules: readonly AllowRule[], address: IpBytes): boolean {
  return rules.some((rule) => rule.kind === "range" && isInRange(address, rule.range));
}

/** Whether it may still turn out to be allowed: of a name the addresses are known only once it is resolved. */
export function mayBeAllowed(rules: readonly AllowRule[], destination: Destination): boolean {
  if (isHostAllowed(rules, destination)) return true;
  const address = parseIp(destination.host);
  return address === null ? rules.some(({ kind }) => kind === "range") : isAddressAllowed(rules, address);
}
