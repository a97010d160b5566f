/** Which service a command means: `--service`, else the one that the directory is linked to. */
import type { Command } from "commander";
import type { Caller } from "../api/client.ts";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors/cli-error.ts";
import { findLink } from "../link/service-link.ts";
import { notEmpty } from "./not-empty.ts";

export interface ServiceOption {
  readonly service?: string;
}

export function withService(command: Command): Command {
  return command.option(
    "--service <id>",
    "service id (default: the service linked to the directory)",
    notEmpty("service id"),
  );
}

export async function chosenServiceId(context: Context, caller: Caller, options: ServiceOption): Promise<string> {
  if (options.service !== undefined) return options.service;
  const found = await findLink(context.directory);
  if (found === null) {
    throw usageError(
      "This directory is not linked to a service.",
      "Run `elastic service create <name>` here, or name a service with --service.",
    );
  }
  if (found.link.url !== caller.url) {
    throw new CliError(
      `${found.path} links to a service at ${found.link.url}, but you are logged in to ${caller.url}.`,
      {
        code: "linked_elsewhere",
        next: `Run \`elastic login --url ${found.link.url}\`, or name a service with --service.`,
      },
    );
  }
  return found.link.serviceId;
}
