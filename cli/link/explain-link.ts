/** Errors that may stem from the folder's link name its file, which nobody remembers, and what to do about it. */
import { CliError } from "../errors/cli-error.ts";
import { findLink } from "./service-link.ts";

/**
 * `args` are those of the command line: with `--service` the link is not in use. Any other error is returned as it is.
 */
export async function explainLink(error: CliError, directory: string, args: readonly string[]): Promise<CliError> {
  if (args.some((arg) => arg === "--service" || arg.startsWith("--service="))) return error;
  const isUnknown = error.code === "not_found" && error.message.startsWith("There is no such service.");
  if (!isUnknown && error.code !== "unreachable") return error;
  const found = await findLink(directory).catch(() => null);
  if (found === null) return error;
  const { path, link } = found;
  const renew = `remove ${path} and run \`elastic service create <name>\``;
  if (isUnknown) {
    const linked = `This folder is linked to ${link.serviceName} (${link.serviceId}) by ${path}.`;
    return withNext(
      error,
      `${linked} If that service no longer exists, ${renew}; \`elastic service list\` shows the team's.`,
    );
  }
  if (!error.message.includes(`${link.url}:`)) return error;
  const linked = `This folder is linked to that address by ${path}.`;
  return withNext(
    error,
    `${error.next ?? ""} ${linked} If that service no longer exists, log in to another one, ${renew}.`,
  );
}

function withNext(error: CliError, next: string): CliError {
  const { message, code, exitCode, requestId, pointers } = error;
  return new CliError(message, {
    next,
    code,
    exitCode,
    pointers,
    cause: error,
    ...(requestId === undefined ? {} : { requestId }),
  });
}
