/** Input of a program: what is written waits until it is taken, and an end comes after what was written. */
import { once } from "node:events";
import type { Writable } from "node:stream";

export async function writeAll(to: Writable, bytes: Buffer, over: AbortSignal): Promise<void> {
  // Who has closed its input is not sent more.
  if (to.destroyed || to.writableEnded || to.write(bytes)) return;
  const closed = new AbortController();
  const onClose = () => closed.abort();
  to.once("close", onClose);
  await once(to, "drain", { signal: AbortSignal.any([over, closed.signal]) }).catch(() => undefined);
  to.off("close", onClose);
}
