import { expect, test } from "vitest";
import { parseHeader, readPlantedBugs } from "./planted-bug.ts";

const PATCH = `Promise: T4
Bug: A sentence.
Caught-by: a/b.test.ts > refuses a > b
Tried-by: npm test

diff --git a/a/b.ts b/a/b.ts
`;

test("reads what a bug breaks and what catches it", () => {
  expect(parseHeader("x.patch", PATCH)).toEqual({
    name: "x",
    promise: "T4",
    bug: "A sentence.",
    caughtBy: { file: "a/b.test.ts", test: "refuses a > b" },
    isQuick: true,
  });
});

test.each(["Promise", "Bug", "Caught-by", "Tried-by"])("rejects a bug without the line %s", (key) => {
  expect(() => parseHeader("x.patch", PATCH.replace(new RegExp(`^${key}: .*\n`, "m"), ""))).toThrow(
    `x.patch has no line "${key}: …"`,
  );
});

test("rejects a bug that names a file and no test in it", () => {
  expect(() => parseHeader("x.patch", PATCH.replace(" > refuses a > b", ""))).toThrow(/full name of a test/);
});

test("rejects a bug that is tried by what does not exist, with what does", () => {
  const text = PATCH.replace("Tried-by: npm test", "Tried-by: npm test quick");
  expect(() => parseHeader("x.patch", text)).toThrow(
    'x.patch: "Tried-by" is npm test or npm run test:long, and not "npm test quick"',
  );
});

test("rejects a line that is none of a header, and a file without a diff", () => {
  expect(() => parseHeader("x.patch", PATCH.replace("Bug:", "Why: It is so.\nBug:"))).toThrow(
    'x.patch has the line "Why: It is so." before its diff: each of them begins with Promise, Bug, Caught-by or Tried-by',
  );
  expect(() => parseHeader("x.patch", "Promise: T4\n")).toThrow(/has no line "diff --git …"/);
});

test("twelve of at least twenty bugs are tried by every run", () => {
  const bugs = readPlantedBugs();
  expect(bugs.length).toBeGreaterThanOrEqual(20);
  expect(bugs.filter(({ isQuick }) => isQuick)).toHaveLength(12);
});
