/** Sends a folder as the source of a build: what the service has already is not sent again, also after a break. */
import { createReadStream } from "node:fs";
import { createBuild } from "../api/builds.ts";
import type { Caller } from "../api/caller.ts";
import type { BuildRecord, NewBuild } from "../api/records.ts";
import { putVolumeFile } from "../api/volumes.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { sizeText } from "../output/size-text.ts";
import { type PackedSource, packSource, type SourcePart } from "./pack-source.ts";

/** What was sent may be swept before the build is made, where that takes long. */
const ROUNDS_MAX = 3;

type Surroundings = Pick<Context, "printer" | "signal">;

/** The record of a build that may still be queued. Throws a CliError, also where parts were swept three times. */
export async function startBuild(
  { printer, signal }: Surroundings,
  caller: Caller,
  {
    serviceId,
    folder,
    options,
    idempotencyKey,
  }: {
    readonly serviceId: string;
    readonly folder: string;
    readonly options: Omit<NewBuild, "source">;
    readonly idempotencyKey: string | undefined;
  },
): Promise<BuildRecord> {
  const beganMs = Date.now();
  const say = (text: string) => printer.progress(text, Math.round((Date.now() - beganMs) / 1000));
  say("Packing the source");
  await using source = await packSource(folder, signal);
  printer.note(
    `Source: ${source.files === 1 ? "1 file" : `${source.files} files`}, ${sizeText(source.bytes)} compressed.`,
  );
  const wanted: NewBuild = {
    ...options,
    source: { parts: source.parts.map(({ sha256, bytes }) => ({ sha256, bytes })) },
  };
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const creation = await createBuild(caller, serviceId, wanted, idempotencyKey);
    if (creation.kind === "created") return creation.build;
    const missing = distinct(creation.parts.flatMap((place) => source.parts[place] ?? []));
    for (const [index, part] of missing.entries()) {
      say(`Sending part ${index + 1} of ${missing.length}`);
      await putVolumeFile(caller, part, () => read(source, part, signal));
    }
  }
  throw new CliError("The source was sent, but parts of it were gone again before the build was made.", {
    exitCode: EXIT.tryAgain,
    code: "files_missing",
    next: "Run the command again: what is there is not sent twice.",
  });
}

function read({ file }: PackedSource, { offset, bytes }: SourcePart, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return createReadStream(file, { start: offset, end: offset + bytes - 1, signal });
}

function distinct(parts: readonly SourcePart[]): readonly SourcePart[] {
  return [...new Map(parts.map((part) => [part.sha256, part])).values()];
}
