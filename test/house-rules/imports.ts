/** What each TypeScript file imports, types included, and what of that the import rules forbid. */
import { posix } from "node:path";
import ts from "typescript";
import { IMPORT_RULES, type ImportRule } from "./import-rules.ts";
import type { SourceFile } from "./source-files.ts";

export interface Import {
  readonly from: string;
  /** A path in this repository, `npm:<package>`, or `node:<module>`. */
  readonly to: string;
}

export function importsOf(files: readonly SourceFile[], workspaces: ReadonlyMap<string, string>): readonly Import[] {
  return files
    .filter(({ path }) => /\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      ts
        .preProcessFile(text, true, true)
        .importedFiles.map(({ fileName }) => ({ from: path, to: resolve(path, fileName, workspaces) })),
    );
}

function resolve(from: string, specifier: string, workspaces: ReadonlyMap<string, string>): string {
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), specifier));
  if (specifier.startsWith("node:")) return specifier;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const folder = workspaces.get(name);
  return folder === undefined ? `npm:${name}` : posix.join(folder, specifier.slice(name.length));
}

/** A test, or what only tests use: the rules on tests are its own. */
export function isTest(path: string): boolean {
  return /\.test\.ts$|\.contract\.ts$|\/testing\//.test(path);
}

/** Each import that no rule allows, with the rule's reason. */
export function forbiddenImports(
  imports: readonly Import[],
  rules: readonly ImportRule[] = IMPORT_RULES,
): readonly string[] {
  return imports.flatMap(({ from, to }) =>
    rules
      .filter((rule) => rule.from.test(from) && !(rule.except?.test(from) ?? false))
      .filter((rule) => (rule.tests ?? true) || !isTest(from))
      .filter((rule) => rule.never.test(to) && !(rule.but?.test(to) ?? false))
      .map((rule) => `${from} imports ${to}: ${rule.because}`),
  );
}

/** The innermost folder around `path` that has a package.json. */
function nearest(path: string, declared: ReadonlyMap<string, ReadonlySet<string>>): string {
  const around = [...declared.keys()].filter((folder) => folder === "" || path.startsWith(`${folder}/`));
  return around.reduce((innermost, folder) => (folder.length > innermost.length ? folder : innermost), "");
}

/** Packages that a file imports and its own package.json does not name. */
export function undeclaredPackages(
  imports: readonly Import[],
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  return imports.flatMap(({ from, to }) => {
    if (!to.startsWith("npm:")) return [];
    const name = to.slice("npm:".length);
    const folder = nearest(from, declared);
    const known = declared.get(folder)?.has(name) || declared.get("")?.has(name);
    return known ? [] : [`${from} imports ${name}, which ${posix.join(folder, "package.json")} does not name`];
  });
}
