/** Reads the rest of a body that was refused, and forgets it: up to a size, and for a moment only. */
import type { IncomingMessage } from "node:http";

const BYTES_MAX = 64 * 1024 * 1024;
const WITHIN_MS = 3_000;

export async function readAway(raw: IncomingMessage): Promise<void> {
  if (raw.complete || raw.destroyed) return;
  const enough = Promise.withResolvers<void>();
  const timer = setTimeout(enough.resolve, WITHIN_MS);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) enough.resolve();
  };
  raw.on("data", count).once("end", enough.resolve).once("close", enough.resolve);
  await enough.promise;
  clearTimeout(timer);
  raw.off("data", count).off("end", enough.resolve).off("close", enough.resolve).pause();
}
