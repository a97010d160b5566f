import { expect, test } from "vitest";
import { CliError, interrupted } from "./cli-error.ts";
import { EXIT } from "./exit-code.ts";
import { stoppedWaiting } from "./stopped-waiting.ts";

const CONTINUING = { what: "The task t1", next: "Run `elastic task wait t1`." };

test("states what continues after Ctrl-C and how to follow it, with the exit code of an interruption", () => {
  expect(stoppedWaiting(interrupted(), CONTINUING)).toMatchObject({
    message: "Interrupted. The task t1 continues.",
    next: "Run `elastic task wait t1`.",
    code: "interrupted",
    exitCode: EXIT.interrupted,
  });
});

test("leaves every other error as it is", () => {
  const other = new CliError("The task did not end.");
  expect(stoppedWaiting(other, CONTINUING)).toBe(other);
});
