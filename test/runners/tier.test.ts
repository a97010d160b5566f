import { expect, test } from "vitest";
import { missingFrom } from "./tier.ts";

test("names the files of a tier that were not run", () => {
  expect(missingFrom(["a.test.ts"], ["a.test.ts", "b.test.ts"])).toEqual(["b.test.ts"]);
  expect(missingFrom(["a.test.ts", "b.test.ts"], ["a.test.ts", "b.test.ts"])).toEqual([]);
});
