/**
 * Exits 0 when node_modules is what package-lock.json says and holds the Node that it pins, else 1.
 * Plain JavaScript for an old Node: it runs before the pinned one is there.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {});
const wanted = read("package-lock.json");
const installed = read("node_modules/.package-lock.json");

function isInstalled(path) {
  const { version, link, optional } = wanted[path];
  if (link) return existsSync(path);
  // Optional ones are for other machines unless npm took them.
  return installed[path] === undefined ? optional === true : installed[path].version === version;
}

function nodeVersion() {
  try {
    return execFileSync("node_modules/.bin/node", ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return "none";
  }
}

const missing = Object.keys(wanted).filter((path) => path.includes("node_modules/") && !isInstalled(path));
const pinned = `v${wanted["node_modules/node"]?.version}`;
process.exit(missing.length === 0 && nodeVersion() === pinned ? 0 : 1);
