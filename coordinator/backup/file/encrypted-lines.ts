/** The lines of a backup as its file has them: compressed, then encrypted. */
import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { decrypted, encrypted, whyNotDecrypted } from "./age.ts";
import { type BackupItem, readLines } from "./lines.ts";

export async function encryptLines(lines: AsyncIterable<Buffer>, recipient: string): Promise<Readable> {
  return await encrypted(through(Readable.from(lines, { highWaterMark: 1 }), createGzip()), recipient);
}

/** Throws BackupError where the file is not complete and as it was written, or none of the keys opens it. */
export async function* decryptLines(file: Readable, identities: readonly string[]): AsyncGenerator<BackupItem> {
  try {
    const plain = await decrypted(file, identities);
    yield* readLines(through(plain, createGunzip()));
  } catch (error) {
    throw whyNotDecrypted(error);
  } finally {
    file.destroy();
  }
}

/** What fails is thrown to the reader of the last one. */
function through(source: Readable, transform: ReturnType<typeof createGzip>): Readable {
  pipeline(source, transform, () => undefined);
  return transform;
}
