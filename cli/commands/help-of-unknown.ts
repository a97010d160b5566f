/**
 * Help of a command that does not exist: commander prints the help of the group for it, as if all were well.
 * Without the request for help the words are an unknown command, which commander names.
 */
import type { Command } from "commander";

export function withoutHelpOfUnknown(program: Command, args: readonly string[]): readonly string[] {
  return namesUnknown(program, args) ? args.filter((arg) => !asksForHelp(arg)) : args;
}

function namesUnknown(program: Command, args: readonly string[]): boolean {
  let group = program;
  for (const arg of args) {
    if (asksForHelp(arg)) continue;
    if (arg.startsWith("-")) return false;
    const named = group.commands.find((command) => command.name() === arg);
    if (named === undefined) return true;
    if (named.commands.length === 0) return false;
    group = named;
  }
  return false;
}

function asksForHelp(arg: string): boolean {
  return ["help", "--help", "-h"].includes(arg);
}
