/**
 * A bug that was planted on purpose: a patch of the product under `bugs/`, whose header says which promise it breaks
 * and which test must notice. No other file has a trace of it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "bugs");
const SUFFIX = ".patch";

export interface PlantedBug {
  readonly name: string;
  /** As docs/promises.md names it. */
  readonly promise: string;
  /** What is wrong, in a sentence. */
  readonly bug: string;
  /** The test that fails with it: a file, and the full name of a test in it. */
  readonly caughtBy: { readonly file: string; readonly test: string };
  /** Whether it is tried by `npm test` too, and not by `npm run test:long` alone. */
  readonly isQuick: boolean;
  /** Absolute. */
  readonly patchFile: string;
}

export function readPlantedBugs(): readonly PlantedBug[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(SUFFIX));
  return files.toSorted().map((file) => {
    const path = join(FOLDER, file);
    return { ...parseHeader(file, readFileSync(path, "utf8")), patchFile: path };
  });
}

/** Throws where a line is missing. */
export function parseHeader(file: string, text: string): Omit<PlantedBug, "patchFile"> {
  const header = text.slice(0, text.indexOf("\ndiff --git "));
  const lineOf = (key: string): string => {
    const value = new RegExp(`^${key}: (.+)$`, "m").exec(header)?.[1];
    if (value === undefined) throw new Error(`${file} has no line "${key}: …" before its diff`);
    return value;
  };
  const [testFile = "", test] = lineOf("Caught-by").split(/ > (.*)/);
  if (test === undefined) throw new Error(`${file}: "Caught-by" is a file, " > ", and the full name of a test in it`);
  return {
    name: file.slice(0, -SUFFIX.length),
    promise: lineOf("Promise"),
    bug: lineOf("Bug"),
    caughtBy: { file: testFile, test },
    isQuick: lineOf("Tried-by") === "npm test",
  };
}
