import { expect, test } from "vitest";
import { checkBuilds } from "../doctor/build-check.ts";
import { type BuildMachine, findBuilder } from "./can-build.ts";

const GOOD: BuildMachine = { uid: 0, path: "relative:/opt/bk/bin", exists: () => true, read: () => "1000\n" };

test("finds BuildKit in an absolute folder of the path", () => {
  expect(findBuilder(GOOD)).toEqual({ programs: "/opt/bk/bin" });
});

test.each<[Partial<BuildMachine>, string]>([
  [{ uid: 1000 }, "does not run as root"],
  [{ exists: (path) => !path.endsWith("/runc") }, "runc not found"],
  [{ exists: (path) => path !== "/dev/loop-control" }, "loop devices"],
  [{ read: () => "0\n" }, "no user namespaces"],
  [{ exists: (path) => !path.endsWith("/buildctl") }, "buildkitd and buildctl"],
])("says what is missing: %j", (given, words) => {
  expect(findBuilder({ ...GOOD, ...given })).toMatchObject({ whyNot: expect.stringContaining(words) });
});

test("lets the doctor complain only where builds are wanted", () => {
  const without = { ...GOOD, uid: 1000 };
  expect(checkBuilds({ max: 0, path: "" }, without).level).toBe("ok");
  expect(checkBuilds({ max: 1, path: "" }, without).level).toBe("fail");
  expect(checkBuilds({ max: 1, path: "" }, GOOD).level).toBe("ok");
});
