/** The folder of a repository that a service is built from. */

const LENGTH_MAX = 500;

/** Without slashes at its ends; empty for all of the repository. Null for what leads elsewhere. */
export function normalizeBaseDir(text: string): string | null {
  if (text.length > LENGTH_MAX || /[\\\p{C}]/u.test(text) || text.startsWith("/")) return null;
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") ? null : parts.join("/");
}
