/** Which service a command means: `--service`, else the one that the directory is linked to. */
import type { Command } from "commander";
import type { Caller } from "../api/caller.ts";
import { listServices } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { chooseId, isPartOfId } from "../ids/choose-id.ts";
import { findLink } from "../link/service-link.ts";
import { notEmpty } from "./not-empty.ts";

export interface ServiceOption {
  readonly service?: string;
}

export function withService(command: Command): Command {
  return command.option(
    "--service <id or name>",
    "service (default: the one linked to the directory)",
    notEmpty("service"),
  );
}

/** For a hint that names another command: the option as this one was given it, so that it also works where no link is. */
export function serviceFlag({ service }: ServiceOption): string {
  if (service === undefined) return "";
  return ` --service ${/^[\w.-]+$/.test(service) ? service : `'${service.replaceAll("'", "'\\''")}'`}`;
}

const ID = /^[0-9a-f]{32}$/;

/** For what is known by the directory's service alone, where a part of its id is given. */
export function linkedService(context: Context, caller: Caller): () => Promise<string> {
  return async () => await chosenServiceId(context, caller, {});
}

/** What has the form of an id is one; a name goes before the beginning of an id, and one that two services share names neither. */
export async function serviceIdOf(caller: Caller, given: string): Promise<string> {
  if (ID.test(given)) return given;
  const services = await listServices(caller);
  const [first, ...others] = services.filter(({ service_name: name }) => name === given);
  if (first !== undefined && others.length === 0) return first.service_id;
  if (first === undefined) {
    const known = services.map(({ service_id: id }) => id);
    const chosen = isPartOfId(given) ? chooseId("service", given, known) : given;
    if (ID.test(chosen)) return chosen;
    throw new CliError(`The team has no service named ${given}.`, {
      exitCode: EXIT.notFound,
      code: "not_found",
      next: "Run `elastic service list` to see the team's services, `elastic team switch` for those of another.",
    });
  }
  const ids = [first, ...others].map(({ service_id: id }) => id).join(", ");
  throw usageError(`Several services of the team are named ${given}.`, `Name one by its id: ${ids}.`);
}

export async function chosenServiceId(context: Context, caller: Caller, options: ServiceOption): Promise<string> {
  if (options.service !== undefined) return await serviceIdOf(caller, options.service);
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
        next:
          `Run \`elastic login --url ${found.link.url}\`, or name a service with --service; where that installation ` +
          `no longer exists, remove ${found.path} and run \`elastic service create <name>\`.`,
      },
    );
  }
  return found.link.serviceId;
}
