import { expect, test } from "vitest";
import { orderOf } from "./command-line.ts";

const NAMES = ["a-stale-report-is-accepted", "an-ended-task-ends-again"];

test("takes bugs by their names and by their files", () => {
  expect(orderOf(["an-ended-task-ends-again", "test/planted/bugs/a-stale-report-is-accepted.patch"], NAMES)).toEqual({
    kind: "try",
    names: ["an-ended-task-ends-again", "a-stale-report-is-accepted"],
  });
});

test.each<[string, string[], string]>([
  ["no bug", [], "name at least one bug"],
  [
    "a bug that does not exist",
    ["a-stale-report"],
    "there is no file test/planted/bugs/a-stale-report.patch (is it one of these: a-stale-report-is-accepted?)",
  ],
  ["an option that does not exist", ["--all"], "Unknown option '--all'"],
])("rejects %s with a sentence", (_what, line, why) => {
  expect(orderOf(line, NAMES)).toEqual({ kind: "wrong", why });
});

test("shows its help and the list", () => {
  expect(orderOf(["--help"], [])).toEqual({ kind: "help" });
  expect(orderOf(["--list"], [])).toEqual({ kind: "list" });
});
