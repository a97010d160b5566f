/** What the first coordinator writes under a key, and all after it find there. */
import { type Kv, OutcomeUnknownError } from "./kv.ts";

/**
 * Returns what stands under the key: the given value, if there was none. Reads first: a full store refuses a write also
 * where it would change nothing.
 */
export async function createOnce(kv: Pick<Kv, "txn" | "read">, key: string, value: Buffer): Promise<Buffer> {
  const found = await readValue(kv, key);
  if (found !== null) return found;
  await kv.txn({ compares: [{ key, revision: 0 }], puts: [{ key, value }], deletes: [] }).catch((error: unknown) => {
    // Whoever wrote it, and whether or not this was applied: what stands there now is read next.
    if (!(error instanceof OutcomeUnknownError)) throw error;
  });
  const written = await readValue(kv, key);
  if (written === null) throw new OutcomeUnknownError(`${key} was not written`);
  return written;
}

async function readValue(kv: Pick<Kv, "read">, key: string): Promise<Buffer | null> {
  return (await kv.read([key])).entries[0]?.value ?? null;
}
