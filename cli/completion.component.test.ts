import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runBinary, shellCommand } from "./testing/run-binary.ts";

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

test("bash needs no package to complete, and may load the script twice", async () => {
  const { stdout: script } = await runBinary(["completion", "bash"], nowhere);
  const completed = (line: string) => {
    const press = `COMP_LINE="${line}"; COMP_POINT=\${#COMP_LINE}; __elastic_complete; echo "\${COMPREPLY[*]}"`;
    const elastic = `elastic() { ${shellCommand('"$@"')}; }; compopt() { :; }`;
    const bash = ["--norc", "--noprofile", "-uc", [elastic, script, script, press].join("\n")];
    const { stdout, stderr } = spawnSync("bash", bash, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
    return [stdout.trim(), stderr];
  };
  expect(completed("elastic tea")).toEqual(["team", ""]);
  expect(completed("elastic task c")).toEqual(["create cancel", ""]);
  expect(completed("elastic deploy --ta")).toEqual(["--tag", ""]);
  expect(completed("elastic completion ")).toEqual([expect.stringContaining("fish"), ""]);
});
