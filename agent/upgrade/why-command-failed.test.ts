import { expect, test } from "vitest";
import { whyCommandFailed } from "./why-command-failed.ts";

test.each([
  [{ killed: true, stderr: "" }, "it did not end within 30 s"],
  [{ killed: false, stderr: "sh: systemctl-x: not found\nand more\n" }, "sh: systemctl-x: not found"],
  [{ stderr: "" }, "Command failed: a"],
])("states why a command failed in one line: %j", (failure, why) => {
  const error = Object.assign(new Error("Command failed: a\nb\n"), failure);
  expect(whyCommandFailed(error, 30_000)).toBe(why);
});
