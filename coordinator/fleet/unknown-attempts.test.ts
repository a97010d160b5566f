import { expect, test } from "vitest";
import { UNKNOWN_ATTEMPTS_MAX, UNKNOWN_ATTEMPTS_WITHIN_MS } from "./limits.ts";
import { UnknownAttempts } from "./unknown-attempts.ts";

test("counts each attempt of an unknown task once, and names those beyond what an agent retains within the hour", () => {
  let nowMs = 0;
  const unknown = new UnknownAttempts({ monotonicMs: () => nowMs });
  const first = Array.from({ length: UNKNOWN_ATTEMPTS_MAX }, (_, index) => unknown.add("a", `task-${index}`));
  expect(new Set(first)).toEqual(new Set(["new"]));
  // An agent repeats a report until it is acknowledged.
  expect(unknown.add("a", "task-7")).toBe("known");
  expect([unknown.add("a", "one more"), unknown.add("b", "one more")]).toEqual(["excess", "new"]);
  nowMs = UNKNOWN_ATTEMPTS_WITHIN_MS;
  expect(unknown.add("a", "one more")).toBe("new");
});
