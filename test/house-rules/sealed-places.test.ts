import { CARRIED, SEALED_RECORDS, SEALED_VALUES } from "@elastic/coordinator/rotation/sealed-places.ts";
import { expect, test } from "vitest";
import { placesWithoutUse, unknownPlaces } from "./sealed-places.ts";
import { sourceFiles } from "./source-files.ts";

const known = new Set([
  ...[...SEALED_RECORDS, ...SEALED_VALUES].map(({ sealedBy }) => sealedBy),
  ...CARRIED.map(({ madeBy }) => madeBy),
]);
const files = sourceFiles();

test("the table of what is sealed where has every use of the master keys, and no other file", () => {
  expect(unknownPlaces(files, known)).toEqual([]);
  expect(placesWithoutUse(files, known)).toEqual([]);
});

test("finds a use that is not in the table", () => {
  const text = 'const a = 1;\nexport const b = context.secrets.seal(bytes, "c");\nsecrets.derive("use", 32);\n';
  const path = "coordinator/webhooks/new.ts";
  expect(unknownPlaces([{ path, text }], known)).toEqual([
    expect.stringContaining(`${path}:2: `),
    expect.stringContaining(`${path}:3: `),
  ]);
  expect(unknownPlaces([{ path: "coordinator/webhooks/new.test.ts", text }], known)).toEqual([]);
});
