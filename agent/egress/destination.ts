/** Where a program in a shell wants to connect, and whether its shell's list lets it. Pure. */
import type { EgressRule } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { parseIp } from "@elastic/std/net/ip-address.ts";

export interface Destination {
  /** A name in lower case or an address, without brackets or the dot at its end. */
  readonly host: string;
  readonly port: number;
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):([0-9]{1,5})$/;

/** Of `host:port`, as CONNECT names it. Null for anything else. */
export function parseAuthority(text: string): Destination | null {
  const [, host, digits] = AUTHORITY.exec(text.toLowerCase()) ?? [];
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? null : { host: plain(host), port };
}

/** Of `http://host[:port]/…`, as a request in clear names it. Null for anything else. */
export function parseHttpUrl(text: string): (Destination & { readonly path: string }) | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, hostname, port, pathname, search } = new URL(text);
  if (protocol !== "http:" || username !== "" || password !== "") return null;
  return { host: plain(hostname), port: port === "" ? 80 : Number(port), path: pathname + search };
}

export function isAllowed(rules: readonly EgressRule[], { host, port }: Destination): boolean {
  const isName = parseIp(host) === null;
  return rules.some((rule) => {
    if (rule.port !== port) return false;
    if (!rule.below) return rule.host === host;
    return isName && (rule.host === "" || host.endsWith(`.${rule.host}`));
  });
}

function plain(host: string): string {
  return host.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}
