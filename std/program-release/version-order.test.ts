import fc from "fast-check";
import { expect, test } from "vitest";
import { compareVersions, isVersion } from "./version-order.ts";

test("orders versions as semver.org's example does", () => {
  const ordered = [
    "0.9.10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
  ];
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
});

test("compares any two versions the opposite way round, and only equal ones as equal", () => {
  const number = fc.integer({ min: 0, max: 20 });
  const preRelease = fc.constantFrom("", "-a", "-a.1", "-1", "-a.b");
  const version = fc.tuple(number, number, number, preRelease).map(([a, b, c, d]) => `${a}.${b}.${c}${d}`);
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
      expect(compareVersions(a, b) === 0).toBe(a === b);
    }),
  );
});

test("takes nothing for a version that could be a path or an option", () => {
  for (const text of ["", "1.0", "../1.0.0", "1.0.0/..", "-1.0.0", "1.0.0 ", "v1.0.0", `1.0.0-${"a".repeat(80)}`]) {
    expect([text, isVersion(text)]).toEqual([text, false]);
  }
});
