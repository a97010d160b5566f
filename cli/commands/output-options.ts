/** `--output json|text` of every command, and its short form. */
import { type Command, Option } from "commander";
import type { Format } from "../output/printer.ts";

/** For every command but `task create`, whose `--json` is its input. */
export function withOutput(command: Command): Command {
  return withLongOutput(command).option("--json", "short for --output json");
}

export function withLongOutput(command: Command): Command {
  const output = new Option("--output <format>", "how the result is printed").choices(["text", "json"]);
  return command.addOption(output.default("text"));
}

/** What the user chose. A `--json` with a value is the input of `task create`. */
export function chosenFormat(command: Command): Format {
  const { output, json } = command.opts<{ output?: Format; json?: unknown }>();
  return json === true ? "json" : (output ?? "text");
}
