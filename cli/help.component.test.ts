import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { readSettings } from "./context/config.ts";
import { Printer } from "./output/printer.ts";
import { program } from "./program.ts";
import { runBinary } from "./testing/run-binary.ts";

const elastic = (words: string) =>
  runBinary(words.split(" "), { directory: "/", env: { ELASTIC_CONFIG_DIR: "/nowhere" } });

/** Every command, as this process knows them: to start the real one for each takes half a minute. */
function commands(): Command {
  const stream = new PassThrough();
  return program(
    {
      settings: readSettings({}, false),
      directory: "/",
      stdin: stream,
      interactive: false,
      printer: new Printer({ stdout: stream, stderr: stream, color: false, redraws: false }),
      signal: new AbortController().signal,
    },
    "0.0.0",
  );
}

/** The words that name each command, its groups included, but for what shells call for completions. */
function namesIn(command: Command, above: readonly string[] = []): string[] {
  const inner = command.commands.filter((child) => !/^complet/.test(child.name()));
  return [above.join(" "), ...inner.flatMap((child) => namesIn(child, [...above, child.name()]))];
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) everyCommand(child, visit);
}

test.each(namesIn(commands()))("elastic %s --help shows examples", async (words) => {
  let shown = "";
  const all = commands();
  everyCommand(all, (command) => {
    command.configureOutput({
      writeOut: (text) => {
        shown += text;
      },
    });
  });
  const args = [...words.split(" ").filter(Boolean), "--help"];
  await expect(all.parseAsync(args, { from: "user" })).rejects.toMatchObject({ exitCode: 0 });
  expect(shown).toContain(`Usage: ${`elastic ${words}`.trim()}`);
  expect(shown).toContain("Examples:\n  $ ");
});

test.each(["--help", "team --help", "task create --help"])("elastic %s ends well", async (words) => {
  const stdout = expect.stringContaining("Examples:\n  $ ");
  expect(await elastic(words)).toMatchObject({ code: 0, stderr: "", stdout });
});

test.each(["help team", "help task info", "team -h", "task help create"])("elastic %s shows help", async (words) => {
  expect(await elastic(words)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: elastic t/) });
});
