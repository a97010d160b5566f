/** Names of files describe their contents: kebab-case in TypeScript, snake_case in Rust and C++, and no drawer for everything. */
import { basename } from "node:path/posix";

const DRAWERS = /^(utils?|helpers?|common|misc|manager|types|constants|index|lib|shared|stuff)\.(ts|h|cc)$/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*((\.contract)?(\.component)?\.test|\.contract|\.config)?\.tsx?$/;
const SNAKE_CASE = /^[a-z0-9]+(_[a-z0-9]+)*\.rs$/;
/** Files that are compiled once for each set of instructions are *.isa.cc. */
const SNAKE_CASE_CPP = /^[a-z0-9]+(_[a-z0-9]+)*(\.isa)?\.(cc|h|c|cu|cuh)$/;
const GENERATED = /^proto\/gen\/|^kernels\/accel\/src\/ff\/constants\.h$/;

export function badFileNames(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => !GENERATED.test(path))
    .flatMap((path) => {
      const name = basename(path);
      if (DRAWERS.test(name)) return [`${path}: name it for the one thing in it`];
      if (/\.tsx?$/.test(name) && !KEBAB_CASE.test(name)) return [`${path}: TypeScript files are named in kebab-case`];
      if (name.endsWith(".rs") && !SNAKE_CASE.test(name)) return [`${path}: Rust files are named in snake_case`];
      if (/^kernels\/accel\/.*\.(cc|h|c|cpp|hpp|cu|cuh)$/.test(path) && !SNAKE_CASE_CPP.test(name)) {
        return [`${path}: C and C++ files are named in snake_case, with .cc, .h or .c`];
      }
      return [];
    });
}
