/**
 * Where the installer puts agents: each version in its folder, and a link to the one that runs.
 *
 *   /opt/elastic/elastic-agent -> elastic-agent-0.2.0
 *   /opt/elastic/previous      -> elastic-agent-0.1.0
 *
 * A link is replaced by a rename: at every moment it leads to a complete version.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAME = "elastic-agent";
const CURRENT = NAME;
const PREVIOUS = "previous";
/** Of folders that are written; whoever finds one removes it. */
export const UNFINISHED = ".unfinished-";

/** Of this process: the folder of the program's bundle. */
export const OWN_PACKAGE = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export interface Layout {
  /** Such as /opt/elastic. */
  readonly home: string;
}

/** `packageRoot`: the folder of the program's bundle. Null where something else than the installer put it there. */
export function findLayout(packageRoot: string): Layout | null {
  // <home>/elastic-agent-<version>/lib/elastic-agent
  const version = dirname(dirname(packageRoot));
  const home = dirname(version);
  const isThere = basename(version).startsWith(`${NAME}-`) && linkTarget(home, CURRENT) !== null;
  return isThere ? { home } : null;
}

export function versionFolder({ home }: Layout, version: string): string {
  return join(home, `${NAME}-${version}`);
}

/** The program of a version, or of an unfinished one. */
export function programIn(folder: string): string {
  return join(folder, "bin", NAME);
}

export function unitIn(folder: string): string {
  return join(folder, "lib", "systemd", "system", `${NAME}.service`);
}

/** The version that starts next. */
export function currentVersion(layout: Layout): string {
  const version = linkedVersion(layout, CURRENT);
  if (version === null) throw new Error(`${join(layout.home, CURRENT)} is no link to a version of the agent`);
  return version;
}

/** The one before; null where there is none. */
export function previousVersion(layout: Layout): string | null {
  const version = linkedVersion(layout, PREVIOUS);
  return version !== null && existsSync(programIn(versionFolder(layout, version))) ? version : null;
}

/** So long after an upgrade an order of the coordinators may take it back; after that only an operator on the machine. */
const ORDERED_ROLLBACK_MS = 7 * 86_400_000;

/**
 * The older version that an order may return to: the one that this machine ran before, for some days. Which that is the machine knows,
 * and a coordinator that chose could bring back any version with a known fault. Null for none.
 */
export function orderableRollback(layout: Layout, now: number): string | null {
  const version = previousVersion(layout);
  if (version === null) return null;
  const since = lstatSync(join(layout.home, PREVIOUS)).mtimeMs;
  return now - since <= ORDERED_ROLLBACK_MS ? version : null;
}

/** The version that was current becomes the previous one. */
export function switchTo(layout: Layout, version: string): void {
  const before = currentVersion(layout);
  if (before === version) return;
  replaceLink(layout.home, PREVIOUS, before);
  replaceLink(layout.home, CURRENT, version);
}

/** Undoes `switchTo`: a version that failed is not one to go back to. */
export function switchBack(layout: Layout, version: string, previous: string | null): void {
  replaceLink(layout.home, CURRENT, version);
  if (previous === null) rmSync(join(layout.home, PREVIOUS), { force: true });
  else replaceLink(layout.home, PREVIOUS, previous);
}

/** Every version but the current and the previous one, and what was not finished. */
export function removeOthers(layout: Layout): void {
  const { home } = layout;
  const retained = [linkTarget(home, CURRENT), linkTarget(home, PREVIOUS)];
  for (const name of readdirSync(home)) {
    const isVersion = name.startsWith(`${NAME}-`) && !retained.includes(name);
    if (isVersion || name.startsWith(UNFINISHED)) rmSync(join(home, name), { recursive: true, force: true });
  }
}

function replaceLink(home: string, name: string, version: string): void {
  const next = join(home, `.next-${name}`);
  rmSync(next, { force: true });
  symlinkSync(`${NAME}-${version}`, next);
  renameSync(next, join(home, name));
}

function linkedVersion({ home }: Layout, name: string): string | null {
  const target = linkTarget(home, name);
  return target?.startsWith(`${NAME}-`) ? target.slice(NAME.length + 1) : null;
}

function linkTarget(home: string, name: string): string | null {
  try {
    return readlinkSync(join(home, name));
  } catch {
    return null;
  }
}
