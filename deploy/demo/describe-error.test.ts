import { expect, test } from "vitest";
import { ProgramFailedError } from "../local/program-failed-error.ts";
import { describeError } from "./describe-error.ts";

test("prints the reason of a program that ended in one line, with its log and without a stack", () => {
  const log = '{"level":60,"why":"etcd is an older copy","msg":"could not start"}';
  const error = new ProgramFailedError({ name: "coordinator", logFile: "/logs/c.log" }, "ended (code 1)", [log]);
  expect(describeError(error)).toBe(
    "coordinator ended (code 1): could not start: etcd is an older copy. Its log: /logs/c.log",
  );
});
