import { expect, test } from "vitest";
import { isFitForLogin, readSessionCookie, sessionSetCookie } from "./session-cookie.ts";

test("binds the cookie to the origin over TLS, and to the host on loopback", () => {
  expect(sessionSetCookie("ess_1", "https://console.example")).toBe(
    "__Host-elastic_session=ess_1; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax",
  );
  expect(sessionSetCookie("ess_1", "http://127.0.0.1:8080")).toBe(
    "elastic_session=ess_1; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax",
  );
  expect(sessionSetCookie(null, "http://127.0.0.1:8080")).toContain("elastic_session=; Max-Age=0;");
});

test("reads only the cookie of the kind of its origin", () => {
  const both = "a=b; elastic_session=plain; __Host-elastic_session=secure; c";
  expect(readSessionCookie(both, "https://console.example")).toBe("secure");
  expect(readSessionCookie(both, "http://127.0.0.1:8080")).toBe("plain");
  expect(readSessionCookie("elastic_session=plain", "https://console.example")).toBeNull();
  expect(readSessionCookie("theme=dark", "http://127.0.0.1:8080")).toBeNull();
  expect(readSessionCookie(undefined, "http://127.0.0.1:8080")).toBeNull();
});

test.each([
  ["https://console.example", true],
  ["http://127.0.0.1:8080", true],
  ["http://localhost:8080", true],
  ["http://[::1]:8080", true],
  ["http://console.example", false],
  ["http://127.example", false],
  ["http://10.0.0.1", false],
])("allows a login at %s: %s", (url, expected) => {
  expect(isFitForLogin(url)).toBe(expected);
});
