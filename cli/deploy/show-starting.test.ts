import { expect, test } from "vitest";
import { newLines, showStarting } from "./show-starting.ts";

test.each([
  ["", "a\nb\n", ["a", "b"]],
  ["a\nb\n", "a\nb\nc\n", ["c"]],
  ["a\nb\n", "a\nb\n", []],
  ["a\nb", "a\nb\n", ["b"]],
  ["a\nb\nc\n", "b\nc\nd\n", ["d"]],
  ["a\nlong line\nc\n", "line\nc\nd\n", ["d"]],
  ["a\n", "x\ny\n", ["x", "y"]],
])("after %j, %j has the new lines %j", (earlier, later, lines) => {
  expect(newLines(earlier, later)).toEqual(lines);
});

test("shows each line and each warning once", () => {
  const notes: string[] = [];
  const show = showStarting({ note: (text) => notes.push(text) });
  show(null);
  show({ warning: null, log_tail: "loading\n" });
  show({ warning: "it listens on port 3000", log_tail: "loading\nserving\n" });
  show({ warning: "it listens on port 3000", log_tail: "loading\nserving\n" });
  expect(notes).toEqual(["| loading", "| serving", "Warning: it listens on port 3000."]);
});
