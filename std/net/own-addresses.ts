import { networkInterfaces } from "node:os";
import { type IpBytes, parseIp } from "./ip-address.ts";

/** This machine's addresses now: they come and go with its interfaces. */
export function ownAddresses(): readonly IpBytes[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => parseIp(address.replace(/%.*$/, "")))
    .filter((address) => address !== null);
}
