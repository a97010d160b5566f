/** Kinds of records as the table of docs/stored-data.md names them, in the first column under the heading of records. */
const HEADING = "## Records in etcd";

export interface StoredKind {
  readonly kind: string;
  /** Bound, what removes it, and when. */
  readonly cells: readonly string[];
}

export function storedKinds(document: string): readonly StoredKind[] {
  const [, section = ""] = document.split(HEADING);
  const [table = ""] = section.split("\n## ");
  return [...table.matchAll(/^\| `([a-z-]+)` \|(.*)\|$/gm)].map(([, kind = "", rest = ""]) => ({
    kind,
    cells: rest.split("|").map((cell) => cell.trim()),
  }));
}
