/** Keeps a long result in a file. */
import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { OutputTooLargeError, tooLargeMessage } from "./output-too-large.ts";

export interface ResultFile {
  readonly kind: "file";
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Durable when it resolves: temporary file, fsync, rename. */
export async function writeResult(
  text: Iterable<Buffer> | AsyncIterable<Buffer>,
  path: string,
  bytesMax: number,
): Promise<ResultFile> {
  const hash = createHash("sha256");
  const temporary = `${path}.part`;
  const file = await open(temporary, "w", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of text) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new OutputTooLargeError(tooLargeMessage(bytesMax));
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
  return { kind: "file", path, bytes, sha256: hash.digest("hex") };
}
