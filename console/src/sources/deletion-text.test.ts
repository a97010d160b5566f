import { expect, test } from "vitest";
import { deletionText } from "./deletion-text.ts";

test("names the services that are built no more", () => {
  expect(deletionText([])).toBe("No service is built from its repositories.");
  expect(deletionText(["one", "two"])).toBe("Built no more, and serving on: one, two.");
  expect(deletionText(Array.from({ length: 23 }, (_, at) => `s${at}`))).toMatch(/ s19 and 3 more\.$/);
});
