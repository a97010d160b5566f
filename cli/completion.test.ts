import { expect, test } from "vitest";
import { runBinary } from "./testing/run-binary.ts";

const nowhere = { directory: "/", env: {} };

test.each(["bash", "zsh", "fish"])("there is a completion script for %s", async (shell) => {
  expect(await runBinary(["completion", shell], nowhere)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("elastic"),
  });
});

test("commands, their commands and their options are completed", async () => {
  const offered = async (...words: readonly string[]) =>
    (await runBinary(["complete", "--", ...words], nowhere)).stdout.split("\n").map((line) => line.split("\t")[0]);
  expect(await offered("tea")).toContain("team");
  expect(await offered("task", "")).toEqual(expect.arrayContaining(["create", "info"]));
  expect(await offered("deploy", "--ta")).toContain("--tag");
});
