import { expect, test } from "vitest";
import { agoText } from "./ago-text.ts";

test.each([
  [-5, "0 s ago"],
  [12_400, "12 s ago"],
  [119_000, "119 s ago"],
  [150_000, "3 min ago"],
  [10 * 3_600_000, "10 h ago"],
])("says %d ms as %s", (ms, text) => {
  expect(agoText(ms)).toBe(text);
});
