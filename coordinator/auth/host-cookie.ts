/**
 * A cookie of this origin that no script reads. Over TLS its name has the prefix `__Host-`, which keeps it to this origin
 * (RFC 6265bis §4.1.3); over plain HTTP, which is for loopback alone, browsers would refuse that prefix.
 */
import { parseCookie, stringifySetCookie } from "cookie";

export interface HostCookie {
  /** The value in a request's header `Cookie`; null for none. `publicUrl` is where browsers reach the service. */
  read(header: string | undefined, publicUrl: string): string | null;
  /** The header `Set-Cookie` that gives a browser the value; with null, that takes it away. */
  setCookie(value: string | null, publicUrl: string): string;
}

export function hostCookie(name: string, maxAgeMs: number): HostCookie {
  const nameAt = (publicUrl: string): string => (isSecure(publicUrl) ? `__Host-${name}` : name);
  return {
    read: (header, publicUrl) => (header?.includes(name) ? (parseCookie(header)[nameAt(publicUrl)] ?? null) : null),
    setCookie: (value, publicUrl) =>
      stringifySetCookie({
        name: nameAt(publicUrl),
        value: value ?? "",
        maxAge: value === null ? 0 : maxAgeMs / 1000,
        path: "/",
        httpOnly: true,
        secure: isSecure(publicUrl),
        sameSite: "lax",
      }),
  };
}

/** Whether a browser may log in there: with TLS, or without leaving its machine. */
export function isFitForLogin(publicUrl: string): boolean {
  if (isSecure(publicUrl)) return true;
  const { hostname } = new URL(publicUrl);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}
