/** `--team` of the commands about a team's people. */
import type { Command } from "commander";
import { notEmpty } from "./not-empty.ts";

export interface TeamOption {
  readonly team?: string;
}

export function withTeam(command: Command): Command {
  return command.option("--team <name or id>", "team (default: the active one)", notEmpty("team"));
}
