/**
 * What can be said of a URL without resolving its host. Only what the parser made of the text is ever used, so no
 * second reader can see another host in it. Pure.
 */
import { classifyAddress } from "@elastic/std/net/address-class.ts";
import { type IpBytes, parseIp } from "@elastic/std/net/ip-address.ts";
import { type AllowRule, type Destination, isAddressAllowed, isHostAllowed, mayBeAllowed } from "./allow-list.ts";
import { EgressError } from "./egress-error.ts";

const URL_CHARACTERS_MAX = 2_048;

/** Where receivers with TLS listen; every other port may be somebody's database or control plane. */
const PORTS: ReadonlySet<number> = new Set([443, 8443]);
// Parsers drop or repair these, which hides from a reader where the URL leads.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const REPAIRED = /[\u0000-\u0020\u007f\\]/;

export interface GuardOptions {
  readonly allow: readonly AllowRule[];
  /** This machine's addresses now. */
  readonly own: readonly IpBytes[];
}

export interface CheckedUrl extends Destination {
  readonly url: URL;
  /** The host itself, where it is an address. */
  readonly address: IpBytes | null;
}

/** Throws EgressError. What it lets through may still resolve to what is refused. */
export function checkUrl(text: string, guard: GuardOptions): CheckedUrl {
  const checked = parse(text);
  if (checked.url.username !== "" || checked.url.password !== "") throw new EgressError("userinfo_refused");
  if (checked.url.protocol !== "https:" && checked.url.protocol !== "http:") throw new EgressError("scheme_refused");
  if (!mayBeAllowed(guard.allow, checked)) refuseUnlessPublic(checked);
  if (checked.address !== null) checkAddresses(checked, [checked.address], guard);
  return checked;
}

/** Every address must be allowed: of one good and one bad the bad one would be dialled sooner or later. */
export function checkAddresses(checked: CheckedUrl, addresses: readonly IpBytes[], guard: GuardOptions): void {
  if (isHostAllowed(guard.allow, checked)) return;
  if (addresses.length > 0 && addresses.every((address) => isAddressAllowed(guard.allow, address))) return;
  refuseUnlessPublic(checked);
  for (const address of addresses) {
    if (isAddressAllowed(guard.allow, address)) continue;
    if (classifyAddress(address, guard.own) !== "public") throw new EgressError("address_refused");
  }
}

function parse(text: string): CheckedUrl {
  if (text.length > URL_CHARACTERS_MAX) throw new EgressError("url_too_long");
  if (REPAIRED.test(text) || !URL.canParse(text)) throw new EgressError("url_invalid");
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  if (url.href.length > URL_CHARACTERS_MAX) throw new EgressError("url_too_long");
  const port = url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port);
  return { url, host, port, address: parseIp(host) };
}

function refuseUnlessPublic({ url, port, host }: CheckedUrl): void {
  if (url.protocol !== "https:") throw new EgressError("scheme_refused");
  if (!PORTS.has(port)) throw new EgressError("port_refused");
  if (isLocalName(host)) throw new EgressError("address_refused");
}

/** Names that no public server has. */
function isLocalName(host: string): boolean {
  if (parseIp(host) !== null) return false;
  return !host.includes(".") || /\.(localhost|local|internal|home\.arpa|onion)$/.test(host);
}
