/** Of each promise that has a planted bug, the test that would notice if it broke does. */
import { expect, test } from "vitest";
import { readPlantedBugs } from "../planted/planted-bug.ts";
import { caught, tryBugs } from "../planted/try-bugs.ts";

const BUGS = readPlantedBugs();
/** At a time: about half of a test is waiting. */
const COPIES = 2;

test(`each of ${BUGS.length} planted bugs is caught by the test that is named for it`, async () => {
  expect(await tryBugs(BUGS, COPIES)).toEqual(BUGS.map(caught));
});
