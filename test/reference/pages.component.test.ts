import { readdirSync, readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { REFERENCE_FOLDER, referencePages } from "./pages.ts";

test("the generated references are those of the code; `npm run docs` regenerates them", async () => {
  const committed = readdirSync(inRepository(REFERENCE_FOLDER)).map((name) => [
    name,
    readFileSync(inRepository(REFERENCE_FOLDER, name), "utf8"),
  ]);
  expect(Object.fromEntries(committed)).toEqual(await referencePages());
});
