/**
 * Exits 0 when node_modules is what package-lock.json lists and holds the Node that it pins, else 1.
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
  if (installed[path] === undefined) return optional === true && !isForThisMachine(wanted[path]);
  return installed[path].version === version;
}

/** Of optional packages, those with native code for just this kind of machine are needed. */
function isForThisMachine({ os, cpu, libc }) {
  return (
    os?.includes(process.platform) === true &&
    cpu?.includes(process.arch) === true &&
    (libc === undefined || libc.includes("glibc"))
  );
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
