/** Which commit this program was built from. A package says so in a file at its root; a checkout is read as Git stores it. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Below a package's root; `{"commit": "…"}`. */
export const BUILD_FILE = "build.json";

const ROOT = join(import.meta.dirname, "..", "..");
/** After the hash, where the sources of a package are not those of the commit. */
export const CHANGED = "-changed";
const COMMIT = /^([0-9a-f]{40,64})(-changed)?$/;
const SHORT_CHARS = 12;

/** The first twelve characters of its hash; `unknown` where neither says. */
export function buildCommit(root: string = ROOT): string {
  const commit = commitOfPackage(root) ?? commitOfCheckout(root);
  const [, hash, changed = ""] = COMMIT.exec(commit ?? "") ?? [];
  return hash === undefined ? "unknown" : hash.slice(0, SHORT_CHARS) + changed;
}

function commitOfPackage(root: string): string | null {
  const text = readText(join(root, BUILD_FILE));
  return text === null ? null : (JSON.parse(text) as { readonly commit: string }).commit;
}

function commitOfCheckout(root: string): string | null {
  const dotGit = join(root, ".git");
  // A file in a further worktree.
  const pointer = readText(dotGit);
  const folder = pointer === null ? dotGit : resolve(root, pointer.replace("gitdir: ", ""));
  const head = readText(join(folder, "HEAD"));
  if (head === null || !head.startsWith("ref: ")) return head;
  const ref = head.slice("ref: ".length);
  const common = resolve(folder, readText(join(folder, "commondir")) ?? ".");
  return readText(join(folder, ref)) ?? readText(join(common, ref)) ?? packedRef(common, ref);
}

function packedRef(common: string, ref: string): string | null {
  const lines = readText(join(common, "packed-refs"))?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ?? null;
}

/** Null where it is no file that can be read. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
