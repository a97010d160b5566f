/**
 * What Go writes into each program: the modules that it is made of (`go version -m`), read as debug/buildinfo reads it. Pure.
 * The format since Go 1.18: a magic, flags, and from byte 32 on two texts, each after its length (a varint), the second one between marks.
 */

export interface GoModule {
  readonly path: string;
  readonly version: string;
  /** `h1:…` of go.sum, over all files of the module; null where it states none. */
  readonly sum: string | null;
}

export interface GoBuildInfo {
  /** Such as 1.26.1. */
  readonly go: string;
  /** The package that was compiled. */
  readonly path: string;
  readonly modules: readonly GoModule[];
}

const MAGIC = Buffer.from("\xff Go buildinf:", "latin1");
const ALIGNED_TO = 16;
const FLAGS_AT = 15;
const INLINE_TEXTS = 2;
const TEXTS_AT = 32;
/** Around the list of modules. */
const MARK_BYTES = 16;

/** Null for what is no program of Go. */
export function readGoBuildInfo(program: Buffer): GoBuildInfo | null {
  for (let at = program.indexOf(MAGIC); at !== -1; at = program.indexOf(MAGIC, at + 1)) {
    if (at % ALIGNED_TO !== 0 || ((program[at + FLAGS_AT] ?? 0) & INLINE_TEXTS) === 0) continue;
    const version = textAt(program, at + TEXTS_AT);
    const list = version && textAt(program, version.end);
    if (version && list) return parse(version.text.toString(), list.text.subarray(MARK_BYTES, -MARK_BYTES).toString());
  }
  return null;
}

function textAt(bytes: Buffer, from: number): { readonly text: Buffer; readonly end: number } | null {
  let length = 0;
  for (let at = from, factor = 1; at < bytes.length && at < from + 5; at += 1, factor *= 128) {
    const byte = bytes[at] ?? 0;
    length += (byte & 127) * factor;
    if (byte >= 128) continue;
    const end = at + 1 + length;
    return end > bytes.length ? null : { text: bytes.subarray(at + 1, end), end };
  }
  return null;
}

/** Lines of fields after tabs: `path`, `mod` (the module of that package) and `dep`, and `=>` for what is in the place of the module before it. */
function parse(go: string, list: string): GoBuildInfo {
  let path = "";
  const modules: GoModule[] = [];
  for (const line of list.split("\n")) {
    const [kind, name = "", version = "", sum = ""] = line.split("\t");
    if (kind === "path") path = name;
    if (kind === "=>") modules.pop();
    if (kind === "mod" || kind === "dep" || kind === "=>")
      modules.push({ path: name, version, sum: sum === "" ? null : sum });
  }
  return { go: go.replace(/^go/, ""), path, modules };
}
