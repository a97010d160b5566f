/**
 * Whose the demo's folder is. A marker file says that the demo made it; nothing else in there than what the demo itself
 * makes is ever removed.
 */
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Places } from "./places.ts";
import { shellWord } from "./shell-word.ts";

const MADE_BY = "The demo of the Elastic Proving Service made this folder";

/**
 * Why the demo may not use the folder, or null when it may: it is not there, is empty, or is its own. In the `usual`
 * place one that has only what the demo makes is its own without a marker: demos before there were markers left those.
 */
export function whyNotOurs(places: Places, usual: string): string | null {
  const { folder, lasting, marker, otherMarker, made } = places;
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isDirectory()) return `${folder} is not a folder; nothing was touched`;
  const inside = readdirSync(folder).map((name) => join(folder, name));
  if (inside.length === 0 || inside.includes(marker)) return null;
  if (inside.includes(otherMarker)) {
    return lasting
      ? `${folder} has files of a demo without --state; nothing was touched. Name another folder, or end that demo: npm run demo -- --stop${folder === usual ? "" : ` --folder ${shellWord(folder)}`}`
      : `${folder} has the state of a demo; nothing was touched. Use it with --state ${shellWord(folder)}, or name another folder`;
  }
  if (folder === usual && !lasting && inside.every((path) => made.includes(path))) return null;
  return `${folder} has files that are not of a demo; nothing was touched. Name an empty folder, or one that is not there`;
}

/** Makes the folder ours. */
export function claimFolder(places: Places): void {
  // It will hold an access key.
  mkdirSync(places.folder, { recursive: true, mode: 0o700 });
  const rule = places.lasting ? "finds its state here at the next start" : "removes its files at its end";
  writeFileSync(places.marker, `${MADE_BY} and ${rule}.\n`);
  mkdirSync(dirname(places.log("any")), { recursive: true });
  // Its certificates are for some weeks, and both sides read them at each start.
  rmSync(places.ca, { recursive: true, force: true });
}

/**
 * Removes what the demo makes, and the folder when nothing else is in it; of a lasting one only what describes the running demo.
 * Returns whether there was anything to remove.
 */
export function removeFolder(places: Places): boolean {
  const { folder, lasting, marker, made } = places;
  if (lasting) return removeIfThere(places.state);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return false;
  for (const path of made) rmSync(path, { recursive: true, force: true });
  // Next to somebody's files the marker stays, so that the next demo may start here.
  if (readdirSync(folder).some((name) => join(folder, name) !== marker)) return true;
  rmSync(marker, { force: true });
  removeEmpty(folder);
  return true;
}

function removeIfThere(file: string): boolean {
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  rmSync(file, { force: true });
  return isThere;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A link to a folder, a mount, or a place where this user may remove nothing: it is empty, which is enough.
  }
}
