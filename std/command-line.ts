/** Runs the command line of a program that an operator, or a supervisor, starts. */
import { type Command, CommanderError } from "commander";

/** The exit code for an invalid line or setting: unlike after a failure, a restart without a change cannot succeed. */
export const USAGE_EXIT = 2;

/** What is wrong with the line is said on standard error before the process ends; what a command throws is the caller's. */
export async function runCommandLine(program: Command): Promise<void> {
  throwInPlaceOfExit(program, program.name());
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Zero after --help and --version.
    process.exit(error.exitCode === 0 ? 0 : USAGE_EXIT);
  }
}

/** What is wrong with a line stands in one line, with where its options are. */
function throwInPlaceOfExit(command: Command, path: string): void {
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => write(`${text.trimEnd()} (nothing was done; see \`${path} --help\`)\n`),
  });
  for (const child of command.commands) throwInPlaceOfExit(child, `${path} ${child.name()}`);
}
