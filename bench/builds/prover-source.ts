/**
 * The source that is built: the template repository, as it is pushed to a user's account. Another source is chosen here and
 * nowhere else.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Archive, archiveOf } from "@elastic/agent/builds/testing/archive.ts";
import { REPOSITORY } from "@elastic/deploy/template/read-sources.ts";
import { templateFiles } from "@elastic/deploy/template/template-files.ts";

export interface ProverSource {
  /** Where it is, to be built in place. */
  readonly folder: string;
  /** The command that builds it there, after `cargo`. */
  readonly cargoArgs: readonly string[];
  /** Changes one line, to another one each time. */
  edit(): void;
  /** As it is now. */
  archive(): Promise<Archive>;
}

const PROGRAM = "src/bin/elastic.rs";
const EDITED = '"proving"';

/** Writes it to an empty folder. */
export function proverSource(folder: string): ProverSource {
  const files = templateFiles(REPOSITORY);
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const program = readFileSync(join(folder, PROGRAM), "utf8");
  if (!program.includes(EDITED)) throw new Error(`${PROGRAM} has no ${EDITED}`);
  let edits = 0;
  return {
    folder,
    cargoArgs: ["build", "--release", "--locked", "--bin", "elastic"],
    edit: () => {
      edits += 1;
      writeFileSync(join(folder, PROGRAM), program.replace(EDITED, `"proving, edited ${edits} times"`));
    },
    archive: () => archiveOf(files.map(({ path }) => [path, readFileSync(join(folder, path))] as const)),
  };
}
