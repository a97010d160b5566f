/** Where an archive is, as a setting says it. */

export type ArchiveLocation =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** `sqlite:/a/file` or `postgres://user@host/database`; null for anything else. */
export function parseArchiveLocation(text: string): ArchiveLocation | null {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: "postgres", url: text };
  const file = /^sqlite:(.+)$/.exec(text)?.[1];
  return file === undefined ? null : { kind: "sqlite", file };
}

/** For messages and logs, without a password. */
export function describeLocation(location: ArchiveLocation): string {
  if (location.kind === "sqlite") return `sqlite:${location.file}`;
  const { host, pathname } = new URL(location.url);
  return `postgres://${host}${pathname}`;
}
