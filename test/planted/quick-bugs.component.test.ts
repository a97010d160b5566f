/** The other bugs are tried by test/long/every-planted-bug-is-caught.test.ts. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { readPlantedBugs } from "./planted-bug.ts";
import { caught, tryBugs } from "./try-bugs.ts";

const BUGS = readPlantedBugs();
const QUICK = BUGS.filter(({ isQuick }) => isQuick);

test("every patch still applies", async () => {
  const check = (patchFile: string) =>
    promisify(execFile)("git", ["apply", "--check", patchFile], { cwd: inRepository() });
  for (const { name, patchFile } of BUGS) await expect(check(patchFile), name).resolves.toBeDefined();
});

test("each of the quick bugs is caught by the test that is named for it", { timeout: 240_000 }, async () => {
  expect(await tryBugs(QUICK)).toEqual(QUICK.map(caught));
});
