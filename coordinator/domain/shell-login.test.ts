import { describe, expect, test } from "vitest";
import { notice, stillAdmits } from "./shell-login.ts";

const MINUTE = 60_000;

test("who is in stays while the same would let them in again", () => {
  const byPassword = { by: "password", passwordId: "p1" } as const;
  const byKey = { by: "key", userId: "u1", keyId: "k1" } as const;
  const byTicket = { by: "ticket", userId: "u1", keyId: "k1" } as const;
  const nobody = { hasKey: () => false, mayConnect: () => false };
  const anybody = { hasKey: () => true, mayConnect: () => true };
  expect(stillAdmits({ passwordId: "p1" }, byPassword, nobody)).toBe(true);
  expect(stillAdmits({ passwordId: "p2" }, byPassword, anybody)).toBe(false);
  const holder = { ...nobody, hasKey: (user: string, key: string) => user === "u1" && key === "k1" };
  expect(stillAdmits({ passwordId: "p2" }, byKey, holder)).toBe(true);
  expect(stillAdmits({ passwordId: "p2" }, byKey, { ...anybody, hasKey: () => false })).toBe(false);
  expect(stillAdmits({ passwordId: "p2" }, byTicket, { ...nobody, mayConnect: (key) => key === "k1" })).toBe(true);
  expect(stillAdmits({ passwordId: "p2" }, byTicket, { ...anybody, mayConnect: () => false })).toBe(false);
  for (const login of [byKey, byTicket]) expect(stillAdmits(null, login, anybody)).toBe(false);
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
