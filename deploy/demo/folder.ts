/**
 * Whose the demo's folder is. A marker file says that the demo made it; nothing else in there than what the demo itself
 * makes is ever removed.
 */
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Places } from "./places.ts";

const MARKER_TEXT = "The demo of the Elastic Proving Service made this folder and removes what it keeps here.\n";

/**
 * Why the demo may not use the folder, or null when it may: it is not there, is empty, or is its own. In the `usual`
 * place one that has only what the demo makes is its own without a marker: demos before there were markers left those.
 */
export function whyNotOurs(places: Places, usual: string): string | null {
  const { folder, marker, made } = places;
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isDirectory()) return `${folder} is not a folder; nothing was touched`;
  const inside = readdirSync(folder).map((name) => join(folder, name));
  if (inside.length === 0 || inside.includes(marker)) return null;
  if (folder === usual && inside.every((path) => made.includes(path))) return null;
  return `${folder} has files that are not of a demo; nothing was touched. Name an empty folder, or one that is not there`;
}

/** Makes the folder ours. */
export function claimFolder(places: Places): void {
  // It will hold an access key.
  mkdirSync(places.folder, { recursive: true, mode: 0o700 });
  writeFileSync(places.marker, MARKER_TEXT);
  mkdirSync(dirname(places.log("any")), { recursive: true });
}

/** Removes what the demo makes, and the folder when nothing else is in it. Answers whether there was anything. */
export function removeFolder(places: Places): boolean {
  const { folder, marker, made } = places;
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return false;
  for (const path of made) rmSync(path, { recursive: true, force: true });
  // With somebody's files beside it the marker stays, so that the next demo may start here.
  if (readdirSync(folder).some((name) => join(folder, name) !== marker)) return true;
  rmSync(marker, { force: true });
  removeEmpty(folder);
  return true;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A link to a folder, a mount, or a place where this user may remove nothing: it is empty, which is enough.
  }
}
