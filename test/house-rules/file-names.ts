/** Names of files say what is in them: kebab-case in TypeScript, snake_case in Rust, and no drawer for everything. */
import { basename } from "node:path/posix";

const DRAWERS = /^(utils?|helpers?|common|misc|manager|types|constants|index|lib|shared|stuff)\.ts$/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|contract|contract\.test|config))?\.ts$/;
const SNAKE_CASE = /^[a-z0-9]+(_[a-z0-9]+)*\.rs$/;
const GENERATED = /^proto\/gen\//;

export function badFileNames(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => !GENERATED.test(path))
    .flatMap((path) => {
      const name = basename(path);
      if (DRAWERS.test(name)) return [`${path}: name it for the one thing in it`];
      if (name.endsWith(".ts") && !KEBAB_CASE.test(name)) return [`${path}: TypeScript files are named in kebab-case`];
      if (name.endsWith(".rs") && !SNAKE_CASE.test(name)) return [`${path}: Rust files are named in snake_case`];
      return [];
    });
}
