/**
 * Which entries of a source archive may be unpacked, and where. Nothing is written outside the folder, through a
 * symbolic link or twice, whatever the archive says. Pure.
 */
import { BuildFailure } from "../../domain/build-failure.ts";

export interface ArchiveLimits {
  readonly entries: number;
  /** Of all files, unpacked. */
  readonly bytes: number;
}

/** What a build may have as its source. */
export const SOURCE_LIMITS: ArchiveLimits = { entries: 100_000, bytes: 4 * 1024 ** 3 };

export type EntryKind = "file" | "directory" | "symlink";

export interface ArchiveEntry {
  readonly name: string;
  /** As tar calls it. */
  readonly type: string | null | undefined;
  readonly bytes: number;
}

export interface PlannedEntry {
  readonly path: string;
  readonly kind: EntryKind;
}

const PATH_CHARACTERS_MAX = 1_024;
const COMPONENT_BYTES_MAX = 255;
const KINDS: Readonly<Record<string, EntryKind>> = {
  file: "file",
  "contiguous-file": "file",
  directory: "directory",
  symlink: "symlink",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const UNPRINTABLE = /[\u0000-\u001f\u007f]/;

export class ArchivePaths {
  readonly #limits: ArchiveLimits;
  readonly #stripComponents: number;
  readonly #kinds = new Map<string, EntryKind>();
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits, stripComponents: number) {
    this.#limits = limits;
    this.#stripComponents = stripComponents;
  }

  /** Null for what is left out: the root, and what the stripped directories are. Throws BuildFailure. */
  plan({ name, type, bytes }: ArchiveEntry): PlannedEntry | null {
    this.#count(bytes);
    const kind = KINDS[type ?? ""];
    if (kind === undefined)
      throw invalid(
        `${shown(name)} is a ${type ?? "thing of unknown type"}; a source has files, directories and symbolic links`,
      );
    const path = this.#pathOf(name);
    if (path === null) return null;
    const known = this.#kinds.get(path);
    // Archives name a directory before or after what is in it.
    if (known === "directory" && kind === "directory") return null;
    if (known !== undefined) throw invalid(`${shown(name)} is there twice`);
    this.#enterParents(path, name);
    this.#kinds.set(path, kind);
    return { path, kind };
  }

  #count(bytes: number): void {
    this.#entries += 1;
    this.#bytes += bytes;
    if (this.#entries > this.#limits.entries) throw invalid(`it has more than ${this.#limits.entries} entries`);
    if (this.#bytes > this.#limits.bytes) throw invalid(`unpacked it has more than ${this.#limits.bytes} bytes`);
  }

  #pathOf(name: string): string | null {
    if (name.length > PATH_CHARACTERS_MAX) throw invalid(`a path has more than ${PATH_CHARACTERS_MAX} characters`);
    if (UNPRINTABLE.test(name) || name.includes("\ufffd"))
      throw invalid(`${shown(name)} is not a printable path in UTF-8`);
    if (name.startsWith("/")) throw invalid(`${shown(name)} is an absolute path`);
    const components = name.split("/").filter((component) => component !== "" && component !== ".");
    if (components.includes("..")) throw invalid(`${shown(name)} leads out of the source`);
    if (components.some((component) => Buffer.byteLength(component) > COMPONENT_BYTES_MAX))
      throw invalid(`a name in ${shown(name)} is too long`);
    const remaining = components.slice(this.#stripComponents);
    return remaining.length === 0 ? null : remaining.join("/");
  }

  #enterParents(path: string, name: string): void {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      const parent = path.slice(0, end);
      const kind = this.#kinds.get(parent);
      if (kind === undefined) this.#kinds.set(parent, "directory");
      else if (kind !== "directory") throw invalid(`${shown(name)} is below ${shown(parent)}, which is a ${kind}`);
    }
  }
}

export function invalid(why: string, cause?: unknown): BuildFailure {
  return new BuildFailure("source_invalid", `the source archive cannot be used: ${why}`, { cause });
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
