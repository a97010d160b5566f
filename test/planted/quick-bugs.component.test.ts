/** The other bugs are tried by test/long/every-planted-bug-is-caught.test.ts. */
import { expect, test } from "vitest";
import { readPlantedBugs } from "./planted-bug.ts";
import { copyProduct } from "./product-copy.ts";
import { caught, tryBugs } from "./try-bugs.ts";

const QUICK = readPlantedBugs().filter(({ isQuick }) => isQuick);

test("every patch still applies", async () => {
  using copy = await copyProduct();
  for (const { name, patchFile } of readPlantedBugs()) {
    await expect(copy.apply(patchFile), name).resolves.toBeUndefined();
    await copy.revert(patchFile);
  }
});

test("each of the quick bugs is caught by the test that is named for it", { timeout: 240_000 }, async () => {
  expect(await tryBugs(QUICK)).toEqual(QUICK.map(caught));
});
