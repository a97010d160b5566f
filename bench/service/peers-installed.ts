/** The packages of bench/peers, which the product never needs, are installed when they are first compared with. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "peers");

/** The exact versions, installed. */
export function installPeers(): Readonly<Record<string, string>> {
  const wanted: Record<string, string> = readJson(join(FOLDER, "package.json")).dependencies;
  const there = Object.entries(wanted).every(([name, version]) => installedVersion(name) === version);
  const install = ["install", "--no-save", "--ignore-scripts"];
  if (!there) execFileSync("npm", install, { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"] });
  return wanted;
}

/** A script of bench/peers. */
export function peerScript(...segments: readonly string[]): string {
  return join(FOLDER, ...segments);
}

function installedVersion(name: string): string | null {
  try {
    return readJson(join(FOLDER, "node_modules", name, "package.json")).version;
  } catch {
    return null;
  }
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}
