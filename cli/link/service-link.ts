/**
 * The link between a code directory and its service: a file that `service create` writes and that the other
 * commands find from the directory or any below it. It holds no secret and may be committed.
 */
import { constants } from "node:fs";
import { access, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError, usageError } from "../errors/cli-error.ts";

export const LINK_FILE = ".elastic.json";

export interface ServiceLink {
  readonly url: string;
  readonly serviceId: string;
  readonly serviceName: string;
}

/** The link of the directory or of the nearest one above it. */
export async function findLink(directory: string): Promise<{ link: ServiceLink; path: string } | null> {
  for (let current = directory; ; current = dirname(current)) {
    const path = join(current, LINK_FILE);
    const link = await readLink(path);
    if (link !== null) return { link, path };
    if (dirname(current) === current) return null;
  }
}

/** Checked before a service is made, so that none is made that could not be linked. */
export async function assertLinkable(directory: string): Promise<void> {
  const path = join(directory, LINK_FILE);
  const link = await readLink(path);
  if (link !== null) {
    throw usageError(
      `This directory is linked to the service ${link.serviceName} (${link.serviceId}); a directory has one service.`,
      `Use another directory, or remove ${path} to unlink this one.`,
    );
  }
  try {
    await access(directory, constants.W_OK);
  } catch (cause) {
    throw new CliError(`${directory} is not writable.`, { next: "Run the command where the code is.", cause });
  }
}

export async function writeLink(directory: string, link: ServiceLink): Promise<string> {
  const path = join(directory, LINK_FILE);
  const { url, serviceId, serviceName } = link;
  const body = { url, service_id: serviceId, service_name: serviceName };
  await writeFile(path, `${JSON.stringify(body, null, 2)}\n`, { flag: "wx" });
  return path;
}

async function readLink(path: string): Promise<ServiceLink | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return null;
  }
  try {
    const { url, service_id: serviceId, service_name: serviceName } = JSON.parse(text);
    if ([url, serviceId, serviceName].every((value) => typeof value === "string")) {
      return { url, serviceId, serviceName };
    }
  } catch {
    // Told below, like every other file that is not a link.
  }
  throw new CliError(`${path} does not name a service.`, {
    next: "Remove it and run `elastic service create`, or name the service with --service.",
  });
}
