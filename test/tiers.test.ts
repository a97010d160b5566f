import { expect, test } from "vitest";
import { excludedFrom, tierOf } from "./tiers.ts";

test.each([
  ["coordinator/http/server.test.ts", "pure"],
  ["coordinator/main.component.test.ts", "component"],
  ["test/runners/count.test.ts", "pure"],
  ["test/cluster/etcd.component.test.ts", "component"],
  ["test/system/a-shell-keeps-its-home.test.ts", "system"],
  ["test/long/any-part-may-die-at-any-time.test.ts", "long"],
  ["test/house-rules/words.test.ts", "house"],
  ["coordinator/http/server.ts", null],
])("%s is of the tier %s", (path, tier) => {
  expect(tierOf(path)).toBe(tier);
});

test("a tier leaves out the files of those before it", () => {
  expect(excludedFrom("pure")).toContain("**/*.component.test.ts");
  expect(excludedFrom("component")).not.toContain("**/*.test.ts");
});
