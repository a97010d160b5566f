#!/usr/bin/env node
/** `elastic`, the user's command. Everything it knows of the service it learns over HTTP. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "./context/config.ts";
import type { Context } from "./context/context.ts";
import { Printer } from "./output/printer.ts";
import { PACKAGE_ROOT } from "./package/package-root.ts";
import { run } from "./run.ts";

const { stdin, stdout, stderr, env } = process;
const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort());

const settings = readSettings(env, stdout.isTTY === true);
const context: Context = {
  settings,
  directory: process.cwd(),
  stdin,
  interactive: stdin.isTTY === true && stderr.isTTY === true,
  printer: new Printer({
    stdout,
    stderr,
    color: settings.color,
    redraws: stderr.isTTY === true && env.TERM !== "dumb",
  }),
  signal: interruption.signal,
};

const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8"));
// A reader that closes early, as in `elastic team list | head -1`, is not an error.
stdout.on("error", () => process.exit());
process.exitCode = await run(context, process.argv.slice(2), version);
