/** Names of what is built in a repository. Only branches, tags and commits: a pull request's ref is none of them. */

export type GitRef = { readonly kind: "branch" | "tag" | "commit"; readonly name: string };

const LENGTH_MAX = 250;

/** `refs/heads/…`, `refs/tags/…`, 40 hexadecimal digits, or the name of a branch. Null for anything else. */
export function parseGitRef(text: string): GitRef | null {
  if (/^[0-9a-f]{40}$/.test(text)) return { kind: "commit", name: text };
  const [, space, named] = /^refs\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (text.startsWith("refs/") && space !== "heads" && space !== "tags") return null;
  const name = named ?? text;
  return isRefName(name) ? { kind: space === "tags" ? "tag" : "branch", name } : null;
}

/** What git accepts (git-check-ref-format), without what an address would read otherwise. */
export function isRefName(name: string): boolean {
  if (name.length > LENGTH_MAX || /[\p{C}\s~^:?*[\\%#]|\.\.|@\{|\/\/|^@$|\.$/u.test(name)) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** In the path of an address. */
export function encodeRefName(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}
