/** Variables in charts and in the compose file are settings of the programs: a misspelled one would have no effect. */
import { at, type SourceFile } from "./source-files.ts";

const VARIABLE = /\bELASTIC_[A-Z0-9_]+\b/g;

/** `known` are those of the programs, and of the deployment's own files. */
export function unknownSettings(files: readonly SourceFile[], known: ReadonlySet<string>): readonly string[] {
  return files.flatMap((file) =>
    [...file.text.matchAll(VARIABLE)]
      .filter(([name]) => !known.has(name))
      .map(({ 0: name, index }) => at(file, index, `no program has the setting ${name}`)),
  );
}
