import { expect, test } from "vitest";
import { isFitForLogin } from "./host-cookie.ts";
import { sessionCookie } from "./login-cookies.ts";

test("binds the cookie to the origin over TLS, and to the host on loopback", () => {
  expect(sessionCookie.setCookie("ess_1", "https://console.example")).toBe(
    "__Host-elastic_session=ess_1; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax",
  );
  expect(sessionCookie.setCookie("ess_1", "http://127.0.0.1:8080")).toBe(
    "elastic_session=ess_1; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax",
  );
  expect(sessionCookie.setCookie(null, "http://127.0.0.1:8080")).toContain("elastic_session=; Max-Age=0;");
});

test("reads only the cookie of the kind of its origin", () => {
  const both = "a=b; elastic_session=plain; __Host-elastic_session=secure; c";
  expect(sessionCookie.read(both, "https://console.example")).toBe("secure");
  expect(sessionCookie.read(both, "http://127.0.0.1:8080")).toBe("plain");
  expect(sessionCookie.read("elastic_session=plain", "https://console.example")).toBeNull();
  expect(sessionCookie.read("theme=dark", "http://127.0.0.1:8080")).toBeNull();
  expect(sessionCookie.read(undefined, "http://127.0.0.1:8080")).toBeNull();
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
