import { expect, test } from "vitest";
import { roundsNote } from "./rounds-note.ts";

test("states the rounds and seconds of a trial in its note", () => {
  expect(roundsNote({ rounds: 1, seconds: 1 })).toMatch(/^1 round of 1 second, /);
  expect(roundsNote({ rounds: 5, seconds: 2 })).toMatch(/^5 rounds of 2 seconds, /);
});
