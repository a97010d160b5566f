import { expect, test } from "vitest";
import { roundsNote } from "./rounds-note.ts";

test("a trial's note tells its own rounds and seconds", () => {
  expect(roundsNote({ rounds: 1, seconds: 1 })).toMatch(/^1 round of 1 second, /);
  expect(roundsNote({ rounds: 5, seconds: 2 })).toMatch(/^5 rounds of 2 seconds, /);
});
