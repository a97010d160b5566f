import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const run = promisify(execFile);

async function helpOf(...words: readonly string[]): Promise<string> {
  return (await run(process.execPath, [MAIN, ...words, "--help"], { env: COMPILE_CACHE })).stdout;
}

/** The commands that a help lists, by the first word of each line. */
function commandsIn(help: string): readonly string[] {
  const list = help.slice(help.indexOf("\nCommands:"));
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = ""]) => name);
}

test("the help of the program and of each group has examples, of commands that it lists", async () => {
  const top = await helpOf();
  const groups = ["user", "team", "key", "operator", "token", "secrets", "authority", "audit", "upgrade", "image"];
  expect(commandsIn(top)).toEqual(expect.arrayContaining(groups));
  const helps = await Promise.all(groups.map((group) => helpOf(group)));
  for (const [index, help] of [top, ...helps].entries()) {
    const group = index === 0 ? "" : `${groups[index - 1]} `;
    const shown = [...help.matchAll(/^ {2}\$ elastic-coordinator (.*)$/gm)].map(([, line = ""]) => line);
    expect(shown.length, help).toBeGreaterThan(0);
    const named = shown.map((line) => line.slice(group.length).split(" ")[0]);
    expect(commandsIn(help)).toEqual(expect.arrayContaining(named));
    for (const line of shown) expect(line.startsWith(group), line).toBe(true);
  }
});
