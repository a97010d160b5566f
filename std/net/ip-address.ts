/**
 * IP addresses and ranges of them, as bytes that can be compared. Pure. Not ipaddr.js, which reads `::1.2.3.4` as
 * `::ffff:1.2.3.4`, nor Node's BlockList, which takes a base with bits beyond its prefix: lists that guard networks need both.
 */
import { isIP } from "node:net";

/** 4 bytes of IPv4 or 16 of IPv6, in network order. */
export type IpBytes = readonly number[];

export interface IpRange {
  readonly base: IpBytes;
  readonly prefixBits: number;
}

/** Null for what is no address in its usual text form; one with a zone is none, since no name server returns any. */
export function parseIp(text: string): IpBytes | null {
  if (text.includes("%")) return null;
  const version = isIP(text);
  if (version === 4) return text.split(".").map(Number);
  return version === 6 ? parseIpv6(text) : null;
}

/** `<address>/<bits>`, or an address for itself alone. Null for anything else, and for a base with bits beyond its prefix. */
export function parseRange(text: string): IpRange | null {
  const [address = "", bits, ...more] = text.split("/");
  const base = parseIp(address);
  if (base === null || more.length > 0) return null;
  if (bits === undefined) return { base, prefixBits: base.length * 8 };
  const prefixBits = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  const isRange =
    prefixBits <= base.length * 8 && base.every((byte, index) => byte === masked(byte, index, prefixBits));
  return isRange ? { base, prefixBits } : null;
}

/** False where one is IPv4 and the other IPv6. */
export function isInRange(address: IpBytes, { base, prefixBits }: IpRange): boolean {
  return address.length === base.length && base.every((byte, i) => masked(address[i] ?? 0, i, prefixBits) === byte);
}

export function isSameIp(a: IpBytes, b: IpBytes): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The byte at `index` with the bits behind the prefix set to 0. */
function masked(byte: number, index: number, prefixBits: number): number {
  const bits = Math.min(8, Math.max(0, prefixBits - index * 8));
  return byte & (0xff << (8 - bits)) & 0xff;
}

/** Of text that `isIP` accepts. */
function parseIpv6(text: string): IpBytes {
  const [head = "", tail] = text.split("::");
  const before = bytesOf(head);
  if (tail === undefined) return before;
  const after = bytesOf(tail);
  return [...before, ...Array<number>(16 - before.length - after.length).fill(0), ...after];
}

/** Groups separated by colons, the last perhaps in the form of IPv4. */
function bytesOf(groups: string): readonly number[] {
  if (groups === "") return [];
  return groups.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
