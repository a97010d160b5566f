/** Streams bytes to an agent, no faster than it reads, and says why when it cannot. */
import { once } from "node:events";
import type { Logger } from "@elastic/std/log.ts";
import type { ServerWritableStream } from "@grpc/grpc-js";
import { chunksOf } from "./chunks.ts";
import type { FleetContext } from "./fleet-context.ts";
import { identityOf } from "./node-identity.ts";
import { Refusal, refusalOf } from "./refusal.ts";

type BytesCall<Q> = ServerWritableStream<Q, { data: Buffer }>;

export interface BytesToSend {
  readonly source: Iterable<Buffer> | AsyncIterable<Buffer>;
  readonly onSent: (bytes: number) => void;
}

/** `open` finds what is requested, or throws the refusal. `what` names it in the log when something else is wrong. */
export async function sendBytes<Q>(
  call: BytesCall<Q>,
  open: () => Promise<BytesToSend>,
  of: { readonly log: Logger; readonly what: string; readonly violations: FleetContext["violations"] },
): Promise<void> {
  const gone = new AbortController();
  call.on("cancelled", () => gone.abort());
  call.on("close", () => gone.abort());
  try {
    const { source, onSent } = await open();
    for await (const data of chunksOf(source)) {
      gone.signal.throwIfAborted();
      onSent(data.length);
      if (!call.write({ data })) await once(call, "drain", { signal: gone.signal });
    }
    call.end();
  } catch (error) {
    of.violations.noteError(identityOf(call)?.nodeId, error);
    if (gone.signal.aborted) return;
    if (!(error instanceof Refusal)) of.log.warn({ err: error }, `${of.what} could not be streamed`);
    call.emit("error", refusalOf(error));
  }
}
