import { expect, test } from "vitest";
import { deletionText } from "./deletion-text.ts";

test("names the services that are no longer built", () => {
  expect(deletionText([])).toBe("No service is built from its repositories.");
  expect(deletionText(["one", "two"])).toBe("No longer built, but still serving: one, two.");
  expect(deletionText(Array.from({ length: 23 }, (_, at) => `s${at}`))).toMatch(/ s19 and 3 more\.$/);
});
