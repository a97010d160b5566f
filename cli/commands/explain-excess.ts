/** A word after a command that takes none, where the command has --service: it is most often the service. */
import type { Command, CommanderError } from "commander";
import { usageError } from "../errors/cli-error.ts";
import { pathOf } from "./refuse-words.ts";

/** The error to throw; every other stays as it is. */
export function explainExcess(command: Command, error: CommanderError): Error {
  const hasService = command.options.some(({ long }) => long === "--service");
  const word = command.args.at(command.registeredArguments.length);
  if (error.code !== "commander.excessArguments" || !hasService || word === undefined) return error;
  const meant = command.registeredArguments.length === 0 ? `: \`${pathOf(command)} --service ${word}\`` : "";
  return usageError(error.message.replace(/^error: /, ""), `A service is named by --service${meant}.`);
}
