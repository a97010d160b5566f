import { expect, test } from "vitest";
import { aBuild } from "../domain/testing/records.ts";
import { buildIdentity } from "./build-identity.ts";

test("knows builds by their source and arguments, in whatever order", () => {
  const { settings } = aBuild();
  const of = (more: object, sha256 = "a".repeat(64)) =>
    buildIdentity({ kind: "archive", sha256 }, { ...settings, ...more });
  expect(of({ buildArgs: { A: "1", B: "2" } })).toBe(of({ buildArgs: { B: "2", A: "1" } }));
  const different = [
    {},
    { baseDir: "x" },
    { buildFile: "x" },
    { target: "x" },
    { buildArgs: { A: "1" } },
    { buildArgs: { A: "2" } },
  ];
  const identities = [
    ...different.map((more) => of(more)),
    of({}, "b".repeat(64)),
    of({ buildArgs: { AB: "" } }),
    of({ buildArgs: { A: "B" } }),
  ];
  expect(new Set(identities).size).toBe(identities.length);
});

test("knows a commit by its repository's id, whatever its name", () => {
  const { settings } = aBuild();
  const from = { host: "github", repositoryId: "7" };
  const of = (more: object) => buildIdentity({ kind: "commit", from, commit: "c".repeat(40), ...more }, settings);
  expect(of({ from: { ...from, repositoryName: "renamed" } })).toBe(of({}));
  const others = [
    { commit: "d".repeat(40) },
    { from: { ...from, repositoryId: "8" } },
    { from: { ...from, host: "x" } },
  ];
  expect(new Set([{}, ...others].map(of)).size).toBe(4);
});
