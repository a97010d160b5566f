/** Web pages of which origins (RFC 6454) may use the API with a team's keys. */

export const ORIGINS_MAX = 20;

/** Hosts of the machine that the browser runs on, where pages are tried before they have a certificate. */
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

export const ORIGIN_RULE = "an origin as browsers send it: https://<host>, or http://localhost:<port>, without a path";

/** Exactly as a browser writes it in the header `Origin`, so that it can be compared as text. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes("*")) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === "https:" || (protocol === "http:" && LOCAL_HOSTS.includes(hostname)));
}
