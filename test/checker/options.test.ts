import { expect, test } from "vitest";
import { checkOrder } from "./options.ts";

test("checks files within the default limits", () => {
  const limits = { endWithinMs: 60_000, requeueWithinMs: 15_000 };
  expect(checkOrder(["a.jsonl", "b.jsonl"])).toEqual({
    kind: "check",
    files: ["a.jsonl", "b.jsonl"],
    json: false,
    limits,
  });
});

test("takes limits in seconds", () => {
  const limits = { endWithinMs: 500, requeueWithinMs: 20_000 };
  expect(checkOrder(["--json", "--end-within", "0.5", "--requeue-within", "20", "a"])).toMatchObject({
    json: true,
    limits,
  });
});

test("shows its help", () => {
  expect(checkOrder(["--help"])).toEqual({ kind: "help" });
});

test.each<[words: readonly string[], why: RegExp]>([
  [[], /name at least one history/],
  [["a", "b", "a"], /a is named twice/],
  [["--end-within", "soon", "a"], /--end-within is a number of seconds, and not soon/],
  [["--fast", "a"], /--fast/],
])("rejects %j", (words, why) => {
  expect(checkOrder(words)).toMatchObject({ kind: "wrong", why: expect.stringMatching(why) });
});
