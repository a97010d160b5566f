/**
 * What kind of address a connection would go to. Only `public` may be called unasked: everything else could be a
 * part of this installation, of the machine, or of the network around it. Pure.
 */
import { type IpBytes, type IpRange, isInRange, isSameIp, parseRange } from "./ip-address.ts";

export type AddressClass =
  | "own"
  | "loopback"
  | "unspecified"
  | "multicast"
  | "metadata"
  | "link_local"
  | "reserved"
  | "embeds_ipv4"
  | "private"
  | "cgnat"
  | "public";

type Row = readonly [AddressClass, ...ranges: readonly string[]];

/** The first row that holds the address names its class. */
const IPV4_ROWS: readonly Row[] = [
  ["loopback", "127.0.0.0/8"],
  ["unspecified", "0.0.0.0/8"],
  ["multicast", "224.0.0.0/4"],
  // Of the great clouds: one link-local address for most, one in shared space, and one that looks public.
  ["metadata", "169.254.169.254", "100.100.100.200", "168.63.129.16"],
  ["link_local", "169.254.0.0/16"],
  // For protocols, examples, relays from IPv6, benchmarks, and the future; the last holds the broadcast address.
  [
    "reserved",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "240.0.0.0/4",
  ],
  ["private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
  ["cgnat", "100.64.0.0/10"],
  ["public", "0.0.0.0/0"],
];

/** The rest of IPv6 is assigned to nobody, so that what is not global unicast is `reserved`. */
const IPV6_ROWS: readonly Row[] = [
  ["loopback", "::1"],
  ["unspecified", "::"],
  ["multicast", "ff00::/8"],
  ["metadata", "fd00:ec2::254"],
  ["link_local", "fe80::/10"],
  // Mapped, compatible, translated, NAT64 with either prefix, 6to4 and Teredo: each leads to an IPv4 address.
  [
    "embeds_ipv4",
    "::ffff:0:0/96",
    "::/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "2002::/16",
    "2001::/32",
  ],
  // Protocols (with ORCHID), and two ranges for examples.
  ["reserved", "2001::/23", "2001:db8::/32", "3fff::/20"],
  // Unique local, and its forerunner.
  ["private", "fc00::/7", "fec0::/10"],
  ["public", "2000::/3"],
  ["reserved", "::/0"],
];

const TABLE = [...IPV4_ROWS, ...IPV6_ROWS].flatMap(([kind, ...ranges]) =>
  ranges.map((text): readonly [AddressClass, IpRange] => [kind, rangeOf(text)]),
);

/** `own` are the addresses of this machine, which may be public ones. */
export function classifyAddress(address: IpBytes, own: readonly IpBytes[]): AddressClass {
  if (own.some((one) => isSameIp(one, address))) return "own";
  const row = TABLE.find(([, range]) => isInRange(address, range));
  if (row === undefined) throw new Error(`an address of ${address.length} bytes`);
  return row[0];
}

function rangeOf(text: string): IpRange {
  const range = parseRange(text);
  if (range === null) throw new Error(`${text} is not a range`);
  return range;
}
