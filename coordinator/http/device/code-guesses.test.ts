import { expect, test } from "vitest";
import { DEVICE_CODE_MS } from "../../domain/device-code.ts";
import { CodeGuesses, WRONG_CODES_MAX } from "./code-guesses.ts";

test("lets a user type ten wrong codes within ten minutes, and does not stop others", () => {
  const guesses = new CodeGuesses();
  for (let count = 0; count < WRONG_CODES_MAX; count++) {
    expect(guesses.isExhausted("ada", count)).toBe(false);
    guesses.noteWrong("ada", count);
  }
  expect(guesses.isExhausted("ada", DEVICE_CODE_MS - 1)).toBe(true);
  expect(guesses.isExhausted("grace", 0)).toBe(false);
  expect(guesses.isExhausted("ada", DEVICE_CODE_MS)).toBe(false);
});
