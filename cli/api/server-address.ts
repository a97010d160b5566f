/** The base address of a service, as given by a person: checked before a key is ever sent there. */
import { isIP } from "node:net";
import { usageError } from "../errors/cli-error.ts";

/** The address without a trailing slash. */
export function parseServerAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`${text} is not an http or https address.`, "Give it as in https://proving.example.com.");
  }
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    throw usageError("The address may not carry a user, a query or a fragment.", "Give only scheme, host and port.");
  }
  return url.href.replace(/\/+$/, "");
}

/** Whether what is sent there can be read on the way: plain http to another machine. */
export function isExposed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:") return false;
  const host = hostname.replace(/^\[|\]$/g, "");
  const loopback = host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  return !loopback;
}
