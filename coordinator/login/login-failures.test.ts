import { expect, test } from "vitest";
import { LoginFailures } from "./login-failures.ts";

test("a flood of refused keys is a line a second for each reason, which counts the others", () => {
  let nowMs = 0;
  const lines: object[] = [];
  const log = { info: (line: object) => void lines.push(line) } as never;
  const failures = new LoginFailures(log, { monotonicMs: () => nowMs });
  const from = { keyId: null, address: "10.0.0.1", requestId: "r" };
  for (; nowMs < 2_500; nowMs += 1) failures.note({ why: "unknown", ...from });
  failures.note({ why: "revoked", ...from, keyId: "abc" });
  expect(lines).toEqual([
    { audit: true, event: "login_failed", why: "unknown", ...from, count: 1 },
    { audit: true, event: "login_failed", why: "unknown", ...from, count: 1_000 },
    { audit: true, event: "login_failed", why: "unknown", ...from, count: 1_000 },
    { audit: true, event: "login_failed", why: "revoked", ...from, keyId: "abc", count: 1 },
  ]);
});
