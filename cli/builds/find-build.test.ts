import { expect, test } from "vitest";
import { chooseBuild } from "./find-build.ts";

const build = (id: string, tag: string) =>
  ({ build_id: id.padEnd(32, "0"), image_tag: tag, phase: "failed", created: "2026-11-21T10:00:00" }) as const;

const BUILDS = [build("0193a0b0c1", "build-c1"), build("0193a0b0c2", "v2"), build("0193a0b1c3", "v2")];

function errorOf(given: string): unknown {
  try {
    return chooseBuild(BUILDS, given);
  } catch (error) {
    return error;
  }
}

test.each([
  ["build-c1", "0193a0b0c1"],
  ["0193a0b1", "0193a0b1c3"],
  ["0193a0b0c2", "0193a0b0c2"],
])("%s names a build of the service", (given, id) => {
  expect(chooseBuild(BUILDS, given)).toBe(id.padEnd(32, "0"));
});

test("latest is the newest build, or the newest with that tag", () => {
  expect(chooseBuild(BUILDS, "latest")).toBe(BUILDS[0]?.build_id);
  const tagged = [...BUILDS, build("0193a0a002", "latest"), build("0193a0a001", "latest")];
  expect(chooseBuild(tagged, "latest")).toBe("0193a0a002".padEnd(32, "0"));
  expect(() => chooseBuild([], "latest")).toThrow("There is no build yet.");
});

test.each([
  ["0193a0b0", ["0193a0b0c1", "0193a0b0c2"]],
  ["v2", ["0193a0b0c2", "0193a0b1c3"]],
])("%s names several, which are shown", (given, ids) => {
  const error = errorOf(given);
  expect(error).toMatchObject({ message: `${given} names 2 builds of the service.`, exitCode: 2 });
  for (const id of ids) expect(error).toMatchObject({ next: expect.stringContaining(id.padEnd(32, "0")) });
});

test.each(["0193a0b", "v3", "0193a0b1c4"])("%s names none", (given) => {
  expect(errorOf(given)).toMatchObject({ exitCode: 4, next: expect.stringContaining("`elastic build list`") });
});
