import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { type CliError, usageError } from "../errors/cli-error.ts";
import { addDependencies, type EditedManifest } from "../init/cargo-manifest.ts";
import { enclosingWorkspace } from "../init/enclosing-workspace.ts";
import { BUILD_FILE, IGNORE_FILE, isThere, PROGRAM, writeTemplate } from "../init/new-files.ts";
import { unpackSdk } from "../package/sdk-source.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** Not in vendor/: `cargo vendor` takes that folder over, and fails on what it did not write there itself. */
const SDK_PATH = "elastic-sdk";
const DEPENDENCIES = {
  "elastic-sdk": `{ path = "${SDK_PATH}" }`,
  serde: '{ version = "1", features = ["derive"] }',
};

/** `elastic init`: makes a cargo package a prover. Nothing is written when anything stands in the way. */
export function init(context: Context): Command {
  return withOutput(new Command("init"))
    .description("make this cargo package a prover: adds elastic-sdk, src/bin/elastic.rs and a Dockerfile")
    .addHelpText("after", examples("cargo init my-prover && cd my-prover && elastic init", "cargo run --bin elastic"))
    .action(async () => {
      const { directory, printer } = context;
      const manifest = join(directory, "Cargo.toml");
      const edited = addDependencies(await readManifest(manifest), DEPENDENCIES);
      if (edited.kind === "refused") throw notEdited(manifest, edited);
      for (const file of [PROGRAM, BUILD_FILE]) {
        if (isThere(directory, file)) throw inTheWay(file.path);
      }
      const written = [PROGRAM, BUILD_FILE, IGNORE_FILE].filter((file) => !isThere(directory, file));
      if (!existsSync(join(directory, SDK_PATH))) await unpackSdk(join(directory, SDK_PATH));
      for (const file of written) await writeTemplate(directory, file);
      await writeFile(manifest, edited.text);
      const files = written.map(({ path }) => path);
      printer.result({
        json: { directory, added_dependencies: edited.added, files, sdk: SDK_PATH },
        text: `Wrote ${files.join(", ")} and ${SDK_PATH}/; Cargo.toml now has ${addedText(edited.added)}.`,
      });
      const workspace = await enclosingWorkspace(directory);
      if (workspace !== null) printer.note(partOfWorkspace(workspace));
      printer.note("Next: edit src/bin/elastic.rs and try it with `cargo run --bin elastic`; then `elastic build`.");
    });
}

function partOfWorkspace(manifest: string): string {
  return (
    `Warning: this package is part of the workspace of ${manifest}, which \`elastic build\` does not send: remove it from ` +
    "`members` there, and move it to a folder outside or list it in `exclude` there."
  );
}

function addedText(added: readonly string[]): string {
  return added.length === 0 ? "what it needs, as before" : added.join(" and ");
}

async function readManifest(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw usageError(`There is no ${path}.`, "Run `cargo init` first, or go to the directory of a cargo package.");
  }
}

function notEdited(path: string, { why, detail }: Extract<EditedManifest, { kind: "refused" }>): CliError {
  if (why === "not-understood") {
    const lines = Object.entries(DEPENDENCIES).map(([name, value]) => `${name} = ${value}`);
    return usageError(`${path} cannot be edited: ${detail}.`, `Add these dependencies yourself: ${lines.join("; ")}.`);
  }
  const next = why === "no-package" ? "Go to the directory of the package that proves." : "Mend it and try again.";
  return usageError(`${path} cannot be used: ${detail}.`, next);
}

function inTheWay(path: string): CliError {
  return usageError(
    `${path} is there already and is not written over.`,
    "Move it away, or keep it: it may be all you need.",
  );
}
