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

/**
 * The format that the command line requests, read before it is parsed: where it cannot be parsed, the error is printed
 * in this format. The `--json` of `task create` is its input.
 */
export function requestedFormat(args: readonly string[]): Format {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const isTaskCreate = first === "task" && second === "create";
  const options = args.slice(0, args.includes("--") ? args.indexOf("--") : args.length);
  const hasJson = options.some(
    (arg, at) =>
      arg === "--output=json" ||
      (arg === "--output" && options[at + 1] === "json") ||
      (arg === "--json" && !isTaskCreate),
  );
  return hasJson ? "json" : "text";
}

/** What the user chose. A `--json` with a value is the input of `task create`. */
export function chosenFormat(command: Command): Format {
  const { output, json } = command.opts<{ output?: Format; json?: unknown }>();
  return json === true ? "json" : (output ?? "text");
}
