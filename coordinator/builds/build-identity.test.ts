import { expect, test } from "vitest";
import { aBuild } from "../domain/testing/records.ts";
import { buildIdentity } from "./build-identity.ts";

test("knows builds by their source and arguments, in whatever order", () => {
  const { source, settings } = aBuild();
  const of = (more: object, sha256 = source.sha256) => buildIdentity({ ...source, sha256 }, { ...settings, ...more });
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
