/**
 * The cookie of a session. Over TLS its name has the prefix `__Host-`, which keeps it to this origin (RFC 6265bis
 * §4.1.3); over plain HTTP, which is for loopback alone, browsers would refuse that prefix.
 */
import { parseCookie, stringifySetCookie } from "cookie";
import { SESSION_AGE_MS_MAX } from "../domain/session.ts";

const NAME = "elastic_session";

/** `publicUrl` is where browsers reach the service. */
export function sessionCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${NAME}` : NAME;
}

/** The value of a request's session cookie; null for none. */
export function readSessionCookie(header: string | undefined, publicUrl: string): string | null {
  if (header === undefined || !header.includes(NAME)) return null;
  return parseCookie(header)[sessionCookieName(publicUrl)] ?? null;
}

/** The header `Set-Cookie` that gives a browser the session; with null, that takes it away. */
export function sessionSetCookie(value: string | null, publicUrl: string): string {
  return stringifySetCookie({
    name: sessionCookieName(publicUrl),
    value: value ?? "",
    maxAge: value === null ? 0 : SESSION_AGE_MS_MAX / 1000,
    path: "/",
    httpOnly: true,
    secure: isSecure(publicUrl),
    sameSite: "lax",
  });
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
