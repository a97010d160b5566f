/** The names and addresses that agents may know a coordinator by, for its certificate. */
import { hostname, networkInterfaces } from "node:os";

/** `addresses` as they are configured, `host:port` or a host; one that listens everywhere stands for all of the machine's. */
export function ownHosts(addresses: readonly string[]): readonly string[] {
  const hosts = new Set(["localhost", "127.0.0.1", "::1", hostname()]);
  for (const address of addresses) {
    const host = hostOf(address);
    if (host !== "0.0.0.0" && host !== "::") hosts.add(host);
    else for (const of of Object.values(networkInterfaces())) for (const one of of ?? []) hosts.add(one.address);
  }
  return [...hosts];
}

function hostOf(address: string): string {
  return (/^(.*):\d+$/.exec(address)?.[1] ?? address).replace(/^\[|\]$/g, "");
}
