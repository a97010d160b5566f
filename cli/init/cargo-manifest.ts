/**
 * Adds dependencies to the text of a Cargo.toml and leaves every other byte as it was. The text is edited by lines
 * and the outcome parsed: what does not parse to the old manifest with just these dependencies more is not written.
 */
import { isDeepStrictEqual } from "node:util";
import { parse, type TomlTable } from "smol-toml";

/** Name and value, both as they stand in the manifest. */
export type Dependencies = Readonly<Record<string, string>>;

export type EditedManifest =
  | { readonly kind: "edited"; readonly text: string; readonly added: readonly string[] }
  | { readonly kind: "refused"; readonly why: "not-toml" | "no-package" | "not-understood"; readonly detail: string };

const HEADER = /^[ \t]*\[[ \t]*dependencies[ \t]*\][ \t]*(#.*)?$/;

/** Adds those of `wanted` that the manifest does not name yet; none of them is changed. */
export function addDependencies(text: string, wanted: Dependencies): EditedManifest {
  const before = parsed(text);
  if (typeof before === "string") return { kind: "refused", why: "not-toml", detail: before };
  if (before.package === undefined) {
    return { kind: "refused", why: "no-package", detail: "it has no [package]: it is a workspace's manifest" };
  }
  const known = tableOf(before.dependencies);
  const added = Object.keys(wanted).filter((name) => known[name] === undefined);
  if (added.length === 0) return { kind: "edited", text, added };
  const edited = withLines(
    text,
    added.map((name) => `${name} = ${wanted[name]}`),
  );
  const dependencies = tableOf(parsed(`${added.map((name) => `${name} = ${wanted[name]}`).join("\n")}\n`));
  const hoped = { ...before, dependencies: { ...known, ...dependencies } };
  // Cloned, since the parser's objects have no prototype and those put together here have one.
  if (isDeepStrictEqual(structuredClone(parsed(edited)), structuredClone(hoped)))
    return { kind: "edited", text: edited, added };
  return { kind: "refused", why: "not-understood", detail: "its [dependencies] are written in an unusual way" };
}

/** Right after the header, or under a new one at the end. */
function withLines(text: string, lines: readonly string[]): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const all = text.split(newline);
  const header = all.findIndex((line) => HEADER.test(line));
  if (header >= 0) return all.toSpliced(header + 1, 0, ...lines).join(newline);
  const gap = text === "" || text.endsWith(newline) ? newline : newline + newline;
  return `${text}${gap}${["[dependencies]", ...lines].join(newline)}${newline}`;
}

/** The table, or what is wrong with the text. */
function parsed(text: string): TomlTable | string {
  try {
    return parse(text);
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
}

function tableOf(value: unknown): TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as TomlTable) : {};
}
