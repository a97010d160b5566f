/** Makes a volume of local files: requests it, sends the files that the service lacks, and requests it again. */
import { createReadStream } from "node:fs";
import type { Caller } from "../api/caller.ts";
import type { VolumeRecord } from "../api/records.ts";
import { createVolume, putVolumeFile } from "../api/volumes.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { type DigestedFile, digestOf, type LocalFile } from "./local-files.ts";

export interface Uploaded {
  readonly volume: VolumeRecord;
  readonly sentFiles: number;
  readonly sentBytes: number;
}

/** What was sent may be swept before the volume is made, where that takes long. */
const ROUNDS_MAX = 3;
const READ_BYTES = 256 * 1024;

type Surroundings = Pick<Context, "printer" | "signal">;

/** Throws a CliError where a file changed meanwhile, or where files that were sent had been swept three times. */
export async function uploadVolume(
  context: Surroundings,
  caller: Caller,
  name: string,
  found: readonly LocalFile[],
): Promise<Uploaded> {
  const startedAt = performance.now();
  const say = (text: string): void => {
    context.printer.progress(text, Math.floor((performance.now() - startedAt) / 1000));
  };
  const files: DigestedFile[] = [];
  for (const file of found) {
    say(`Reading ${countOf(files.length + 1, found.length)}`);
    files.push(await digestOf(file, context.signal));
  }
  const wanted = { name, files: files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })) };
  let sentFiles = 0;
  let sentBytes = 0;
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const creation = await createVolume(caller, wanted);
    if (creation.kind === "created") return { volume: creation.volume, sentFiles, sentBytes };
    const missing = distinct(creation.files.flatMap((place) => files[place] ?? []));
    for (const [index, file] of missing.entries()) {
      await send(context, caller, file, (done) => say(`Sending ${countOf(index + 1, missing.length)}${done}`));
      sentFiles += 1;
      sentBytes += file.bytes;
    }
  }
  throw new CliError("The files were sent, but some were gone again before the volume was made of them.", {
    exitCode: EXIT.tryAgain,
    code: "files_missing",
    next: "Run the command again: what is there is not sent twice.",
  });
}

async function send(
  { printer, signal }: Surroundings,
  caller: Caller,
  file: DigestedFile,
  say: (done: string) => void,
): Promise<void> {
  async function* read(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const chunk of createReadStream(file.source, { highWaterMark: READ_BYTES, signal })) {
      yield chunk as Buffer;
      sent += (chunk as Buffer).length;
      if (printer.redraws) say(`, ${file.path}: ${Math.floor((100 * sent) / file.bytes)} %`);
    }
  }
  say(`, ${file.path}`);
  await putVolumeFile(caller, file, read).catch((error: unknown) => {
    if (!(error instanceof CliError) || error.code !== "digest_mismatch") throw error;
    throw new CliError(`${file.source} changed while it was sent.`, {
      code: error.code,
      next: "Run the command again.",
    });
  });
}

/** Files with the same content are sent once. */
function distinct(files: readonly DigestedFile[]): readonly DigestedFile[] {
  return [...new Map(files.map((file) => [file.sha256, file])).values()];
}

function countOf(number: number, total: number): string {
  return total === 1 ? "the file" : `file ${number} of ${total}`;
}
