import { expect, test } from "vitest";
import { connectionAdvice } from "./connection-advice.ts";

test("says for each state of a connection what to do, and for one that is gone", () => {
  const states = ["active", "suspended", "uninstalled"] as const;
  const texts = [undefined, ...states.map((state) => ({ state }))].map((one) => connectionAdvice(one, "GitHub"));
  expect(new Set(texts).size).toBe(4);
  for (const text of texts) expect(text).toMatch(/(again|unsuspend)/);
});
