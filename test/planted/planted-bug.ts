/**
 * A bug that was planted on purpose: a patch of the product under `bugs/`, whose header says which promise it breaks
 * and which test must notice. No other file has a trace of it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "bugs");
const SUFFIX = ".patch";
/** What may try a bug: those of the first line are tried by the second too. */
const TRIED_BY = ["npm test", "npm run test:long"];
const KEYS = ["Promise", "Bug", "Caught-by", "Tried-by"];

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

/** Throws where a line is missing, unknown or not as test/README.md has it. */
export function parseHeader(file: string, text: string): Omit<PlantedBug, "patchFile"> {
  const end = text.indexOf("\ndiff --git ");
  if (end === -1) throw new Error(`${file} has no line "diff --git …": make the patch by git diff -U2`);
  const header = text.slice(0, end);
  const unknown = header.split("\n").find((line) => line !== "" && !KEYS.some((key) => line.startsWith(`${key}: `)));
  if (unknown !== undefined) {
    throw new Error(
      `${file} has the line "${unknown}" before its diff: each of them begins with ${list(KEYS)}, a colon and a space`,
    );
  }
  const lineOf = (key: string): string => {
    const value = new RegExp(`^${key}: (.+)$`, "m").exec(header)?.[1];
    if (value === undefined) throw new Error(`${file} has no line "${key}: …" before its diff`);
    return value;
  };
  const [testFile = "", test] = lineOf("Caught-by").split(/ > (.*)/);
  if (test === undefined) throw new Error(`${file}: "Caught-by" is a file, " > ", and the full name of a test in it`);
  const triedBy = lineOf("Tried-by");
  if (!TRIED_BY.includes(triedBy)) throw new Error(`${file}: "Tried-by" is ${list(TRIED_BY)}, and not "${triedBy}"`);
  return {
    name: file.slice(0, -SUFFIX.length),
    promise: lineOf("Promise"),
    bug: lineOf("Bug"),
    caughtBy: { file: testFile, test },
    isQuick: triedBy === TRIED_BY[0],
  };
}

function list(texts: readonly string[]): string {
  return `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;
}
