/**
 * The link between a code directory and its service: a file that `service create` writes and that the other
 * commands find from the directory or any below it. It holds no secret and may be committed.
 */
import { constants } from "node:fs";
import { access, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError, usageError } from "../errors/cli-error.ts";

export const LINK_FILE = ".elastic.json";

export interface ServiceLink {
  readonly url: string;
  readonly serviceId: string;
  readonly serviceName: string;
  /** What `elastic build` made last, and `elastic deploy` takes where no image is named. */
  readonly lastBuild?: LastBuild;
}

export interface LastBuild {
  readonly image: string;
  /** ISO 8601, in UTC. */
  readonly builtAt: string;
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

/** Returns its path. Rejects where there is one already. */
export async function writeLink(directory: string, link: ServiceLink): Promise<string> {
  const path = join(directory, LINK_FILE);
  await writeFile(path, linkText(link), { flag: "wx" });
  return path;
}

/** The service no longer exists: the directory may have another. */
export async function removeLink(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Overwrites the link with one that names the build. */
export async function rememberBuild(found: { link: ServiceLink; path: string }, lastBuild: LastBuild): Promise<void> {
  await writeFile(found.path, linkText({ ...found.link, lastBuild }));
}

function linkText({ url, serviceId, serviceName, lastBuild }: ServiceLink): string {
  const build = lastBuild === undefined ? {} : { last_build: { image: lastBuild.image, built: lastBuild.builtAt } };
  return `${JSON.stringify({ url, service_id: serviceId, service_name: serviceName, ...build }, null, 2)}\n`;
}

async function readLink(path: string): Promise<ServiceLink | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return null;
  }
  try {
    const { url, service_id: serviceId, service_name: serviceName, last_build: build } = JSON.parse(text);
    if ([url, serviceId, serviceName].every((value) => typeof value === "string")) {
      const lastBuild =
        typeof build?.image === "string" ? { lastBuild: { image: build.image, builtAt: build.built } } : {};
      return { url, serviceId, serviceName, ...lastBuild };
    }
  } catch {
    // Reported below, like every other file that is not a link.
  }
  throw new CliError(`${path} does not name a service.`, {
    next: "Remove it and run `elastic service create`, or name the service with --service.",
  });
}
