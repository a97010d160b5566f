/** Parses the words after `node test/github/start-github.ts`. Pure. */
import { isAbsolute, relative, resolve, sep } from "node:path";

export type StartOrder =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly why: string }
  /** `folder` is absolute, and may have to be created. */
  | { readonly kind: "start"; readonly folder: string };

export const HELP = `Usage: node test/github/start-github.ts FOLDER

Starts a stand-in for GitHub on loopback, with the user ada and the repository ada/prover, until it is ended. It creates FOLDER
and writes into it the app's private key and secrets, and github.json; that, and its first line of output, have the address
and the coordinator's variables of the environment.

  PUT  <url>/_app   {"callback_url": "…", "webhook_url": "…"}     as in the registration of the app
  POST <url>/_push  {"repository": "ada/prover", "branch": "main", "files": {"Dockerfile": "…"}, "message": "…"}
                    commits the files next to those of the branch, and sends the signed push event

test/README.md has all steps to a deployment by a push.`;

/** `root` is the repository's: keys written there may be committed. */
export function startOrder(
  words: readonly string[],
  { root, directory }: { root: string; directory: string },
): StartOrder {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  const [given, ...others] = words;
  if (given === undefined || given === "") return { kind: "wrong", why: "Name a folder for the app's keys." };
  if (others.length > 0 || given.startsWith("-")) return { kind: "wrong", why: "It takes one folder, and no options." };
  const folder = resolve(directory, given);
  if (folder === root || isIn(folder, root)) {
    return { kind: "wrong", why: `${folder} is or holds the repository: the app's keys do not belong there.` };
  }
  return { kind: "start", folder };
}

/** Whether `inner` is below `outer`. */
function isIn(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
