import { expect, test } from "vitest";
import { isOrigin } from "./team-origins.ts";

test.each([
  "https://app.example",
  "https://app.example:8443",
  "http://localhost:3000",
  "http://127.0.0.1:5173",
  "http://[::1]:1",
])("%s is an origin", (text) => {
  expect(isOrigin(text)).toBe(true);
});

test.each([
  "",
  "*",
  "null",
  "app.example",
  "https://",
  "https://app.example/",
  "https://app.example/path",
  "https://app.example:443",
  "https://APP.example",
  "https://user@app.example",
  "https://*.example",
  "http://app.example",
  "http://localhost.evil.example:3000",
  "file:///etc",
  "chrome-extension://abc",
  "https://app.example\r\nx: y",
])("%j is none", (text) => {
  expect(isOrigin(text)).toBe(false);
});
