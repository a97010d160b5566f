import { type IpBytes, parseIp } from "../ip-address.ts";

/** The address that a test spells. */
export function ip(text: string): IpBytes {
  const bytes = parseIp(text);
  if (bytes === null) throw new Error(`${text} is no address`);
  return bytes;
}
