/** Room on a disk that is reserved for what tasks bring along: what may be large and can wait leaves it free. */
import { statfs } from "node:fs/promises";
import { BlobsFullError } from "./blob-store.ts";

/** How much may come between two looks at how full the disk is. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;

export interface DiskReserve {
  readonly dir: string;
  readonly bytes: number;
}

/** The source, until the disk has no more than the reserve. */
export async function* sparing(source: AsyncIterable<Uint8Array>, reserve: DiskReserve): AsyncGenerator<Uint8Array> {
  let sinceLook = LOOK_EVERY_BYTES;
  for await (const chunk of source) {
    if (sinceLook >= LOOK_EVERY_BYTES) {
      await assertSpare(reserve);
      sinceLook = 0;
    }
    sinceLook += chunk.byteLength;
    yield chunk;
  }
}

async function assertSpare({ dir, bytes }: DiskReserve): Promise<void> {
  if (bytes === 0) return;
  const { bavail, bsize } = await statfs(dir);
  if (bavail * bsize >= bytes) return;
  throw new BlobsFullError(`${dir} has ${bavail * bsize} bytes free, which are reserved for tasks`);
}
