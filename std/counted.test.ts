import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test("puts one thing into the singular, and none or several into the plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "task"))).toEqual(["0 tasks", "1 task", "2 tasks"]);
  expect([1, 3].map((count) => counted(count, "entry", "entries"))).toEqual(["1 entry", "3 entries"]);
});
