import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { readSettings } from "elastic-cli/context/config.ts";
import { Printer } from "elastic-cli/output/printer.ts";
import { program } from "elastic-cli/program.ts";
import { describe, expect, test } from "vitest";
import { type KnownCommand, wrongCommands } from "./commands-in-docs.ts";
import { sourceFiles } from "./source-files.ts";

type Program = ReturnType<typeof program>;

function known(command: Program): KnownCommand {
  const options = command.options
    .flatMap(({ long, short }) => [long, short])
    .filter((flag) => typeof flag === "string");
  return { name: command.name(), options, commands: command.commands.map(known) };
}

function elastic(): KnownCommand {
  const stream = new PassThrough();
  const printer = new Printer({ stdout: stream, stderr: stream, color: false, redraws: false });
  const signal = new AbortController().signal;
  const settings = readSettings({}, false);
  return known(program({ settings, directory: "/", stdin: stream, interactive: false, printer, signal }, "0.0.0"));
}

function read(path: string): string {
  return readFileSync(inRepository(path), "utf8");
}

const scripts = new Set(Object.keys((JSON.parse(read("package.json")) as { scripts: object }).scripts));
const setupParts = new Set(/^ALL=\((.*)\)$/m.exec(read("deploy/setup.sh"))?.[1]?.split(" "));
const KNOWN = { elastic: elastic(), scripts, setupParts };

test("every command in the guides exists, with its options", () => {
  const guides = sourceFiles().filter(({ path }) => /^([A-Z]+\.md|docs\/[a-z-]+\.md|\w+\/README\.md)$/.test(path));
  expect(guides.map(({ path }) => path)).toEqual(expect.arrayContaining(["README.md", "docs/run-tasks.md"]));
  expect(wrongCommands(guides, KNOWN)).toEqual([]);
});

describe("a command that does not exist is found", () => {
  const check = (text: string) => wrongCommands([{ path: "docs/a.md", text }], KNOWN);

  test.each([
    ["```\nelastic serve\n```", "docs/a.md:2: there is no command elastic serve"],
    ["```\nmkdir x && (cd x && elastic task make)\n```", "docs/a.md:2: there is no command elastic task make"],
    ["```\nA=b elastic deploy --imagine x\n```", "docs/a.md:2: elastic deploy has no option --imagine"],
    ["see\n`elastic build list --fast`", "docs/a.md:2: elastic build list has no option --fast"],
    ["`npm run dmeo -- --keep`", "docs/a.md:1: there is no npm script dmeo"],
    ["`bash deploy/setup.sh node nod`", "docs/a.md:1: deploy/setup.sh has no part nod"],
  ])("%j", (text, sentence) => {
    expect(check(text)).toEqual([sentence]);
  });

  test.each([
    "`elastic`, `elastic-sdk`, `elastic shell connect lab -- ls --color`",
    "```\nelastic task create --json '{\"a\":1}' --wait | jq -r .result   # elastic nothing\n```",
    "```\nsource <(elastic completion bash)\n```",
  ])("and %j is right", (text) => {
    expect(check(text)).toEqual([]);
  });
});
