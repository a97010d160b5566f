/** Why a file could not be read, in words. */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it does not exist",
  EISDIR: "it is a directory",
  EACCES: "you are not allowed to read it",
};

export function whyUnread(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return REASONS[code] ?? String(cause);
}
