import { expect, test } from "vitest";
import { CliError, interrupted } from "./cli-error.ts";
import { EXIT } from "./exit-code.ts";
import { waiting } from "./stopped-waiting.ts";

const CONTINUING = { what: "The task t1", next: "Run `elastic task wait t1`." };

test("states what continues after Ctrl-C and how to follow it, with the exit code of an interruption", async () => {
  await expect(waiting(Promise.reject(interrupted()), CONTINUING)).rejects.toMatchObject({
    message: "Interrupted. The task t1 continues.",
    next: "Run `elastic task wait t1`.",
    code: "interrupted",
    exitCode: EXIT.interrupted,
  });
});

test("leaves every other outcome as it is", async () => {
  const other = new CliError("The task did not end.");
  await expect(waiting(Promise.reject(other), CONTINUING)).rejects.toBe(other);
  await expect(waiting(Promise.resolve("ended"), CONTINUING)).resolves.toBe("ended");
});
