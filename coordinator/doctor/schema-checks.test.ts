import { expect, test } from "vitest";
import { checkSchema } from "./schema-checks.ts";

const META = { epoch: 1, blobStoreId: "b", schemaVersion: 1 };
const PROGRAM = { version: 2, minimum: 1, kinds: { tasks: { version: 2, minimum: 1 } } };

test("shows the versions of the store and of this program", () => {
  expect(checkSchema(META)).toMatchObject([
    { finding: "the store is of version 1 and takes programs that know 1; this one knows 1" },
  ]);
  const raised = { ...META, schemaVersion: 3, schemaMinimum: 2, kinds: { tasks: { version: 3, minimum: 2 } } };
  expect(checkSchema(raised, PROGRAM)).toMatchObject([
    { finding: "the store is of version 3, tasks 3 and takes programs that know 2; this one knows 2" },
  ]);
  expect(checkSchema(null)).toEqual([]);
});

test("fails where no coordinator of this version would start", () => {
  expect(checkSchema({ ...META, schemaVersion: 2 })).toMatchObject([
    { level: "fail", finding: expect.stringContaining("takes programs that know 2, and this one knows 1") },
  ]);
});
