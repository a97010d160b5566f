import { describe, expect, test } from "vitest";
import { notice, stillAdmits } from "./shell-login.ts";

const MINUTE = 60_000;

test("who is in stays while the same would let them in again", () => {
  const byPassword = { by: "password", passwordId: "p1" } as const;
  const byKey = { by: "key", userId: "u1", keyId: "k1" } as const;
  expect(stillAdmits({ passwordId: "p1" }, byPassword, () => false)).toBe(true);
  expect(stillAdmits({ passwordId: "p2" }, byPassword, () => true)).toBe(false);
  expect(stillAdmits({ passwordId: "p2" }, byKey, (user, key) => user === "u1" && key === "k1")).toBe(true);
  expect(stillAdmits({ passwordId: "p2" }, byKey, () => false)).toBe(false);
  expect(stillAdmits(null, byKey, () => true)).toBe(false);
});

describe("a session is notified of its shell's end", () => {
  const at = { now: 100 * MINUTE, warningMs: 5 * MINUTE };

  test("when it is near, and once for each end", () => {
    const end = { at: 104 * MINUTE, cause: "expired" } as const;
    expect(notice({ ...end, at: 106 * MINUTE }, null, at)).toBeNull();
    expect(notice(null, null, at)).toBeNull();
    expect(notice(end, null, at)).toContain("ends within 4 minutes");
    expect(notice(end, end, at)).toBeNull();
    expect(notice({ ...end, at: 105 * MINUTE }, end, at)).toContain("5 minutes");
  });

  test("in words for an idle one that say what to do", () => {
    expect(notice({ at: 100 * MINUTE, cause: "idle" }, null, at)).toContain(
      "within a minute unless something is typed",
    );
  });
});
