import { expect, test } from "vitest";
import { countEnd } from "./apart.ts";

const output =
  "1 passed, 9 failed, 9 skipped\naccel: 9 passed, 9 failed, 9 skipped (9 s)\n\n3 passed, 0 failed, 2 skipped\n";

test("the last line counts", () => {
  expect(countEnd(output, 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
});

test("a runner that says all is well and ends as if it were not has failed", () => {
  expect(countEnd(output, 1)).toEqual({ passed: 3, failed: 1, skipped: 2 });
});

test("a runner that dies before its last line has failed", () => {
  expect(countEnd("== accel\n", null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
