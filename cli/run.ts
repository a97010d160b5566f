/** Runs one command line and returns the exit code, having printed what went wrong. */
import { CommanderError } from "commander";
import { withoutHelpOfUnknown } from "./commands/help-of-unknown.ts";
import { operatorsCommand } from "./commands/operators-command.ts";
import { requestedFormat } from "./commands/output-options.ts";
import type { Context } from "./context/context.ts";
import { CliError, usageError } from "./errors/cli-error.ts";
import { EXIT } from "./errors/exit-code.ts";
import { ProgramEnded } from "./errors/program-ended.ts";
import { explainLink } from "./link/explain-link.ts";
import { program } from "./program.ts";

export async function run(context: Context, args: readonly string[], version: string): Promise<number> {
  context.printer.useFormat(requestedFormat(args));
  try {
    const commands = program(context, version);
    await commands.parseAsync([...withoutHelpOfUnknown(commands, args)], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    if (error instanceof ProgramEnded) return error.exitCode;
    const explained = await explainLink(explain(error), context.directory, args);
    context.printer.error(explained);
    return explained.exitCode;
  }
}

function explain(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) return explainUsage(error);
  const message = error instanceof Error ? error.message : String(error);
  return new CliError(`Unexpected: ${message}`, { code: "unexpected", cause: error });
}

/** A group named without a command prints its help, which commander counts as an error without text. */
function explainUsage(error: CommanderError): CliError {
  if (error.code === "commander.help") return usageError("Name a command.", "Add --help to see them.");
  if (error.code === "commander.unknownCommand") {
    const word = /^error: unknown command '([a-z-]+)'/.exec(error.message)?.[1] ?? "";
    const elsewhere = operatorsCommand(word);
    if (elsewhere !== null) return usageError(`unknown command '${word}'`, elsewhere);
    return usageError(error.message.replace(/^error: /, ""), "Run `elastic --help` to see the commands.");
  }
  return usageError(error.message.replace(/^error: /, ""), "Add --help to see the options and examples.");
}
