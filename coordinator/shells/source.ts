/** Whom limits count together: an IPv4 address, or the network of 64 bits that an IPv6 address is of. */
import { isIPv6 } from "node:net";

export function sourceOf(address: string | undefined): string {
  const text = (address ?? "").replace(/^::ffff:(?=\d+\.)/, "").replace(/%.*$/, "");
  return isIPv6(text) ? `${groups(text).slice(0, 4).join(":")}::/64` : text;
}

function groups(text: string): readonly string[] {
  const [head = "", tail] = text.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill("0"), ...after].map((group) => group.toLowerCase());
}
