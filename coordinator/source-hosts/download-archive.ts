/** The files of a commit, as a stream from the host, counted as it comes. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { USER_AGENT } from "./host-api.ts";
import type { ArchiveLimits } from "./source-host.ts";
import { SourceHostError } from "./source-host-error.ts";

/** `refused` says what a status is that is no success; what it returns null for is a fault of the host. */
export async function downloadArchive(
  location: URL,
  headers: Readonly<Record<string, string>>,
  { bytesMax, deadlineMs }: ArchiveLimits,
  refused: (status: number) => SourceHostError | null = () => null,
): Promise<Readable> {
  const signal = AbortSignal.timeout(deadlineMs);
  const sent = { "user-agent": USER_AGENT, "accept-encoding": "identity", ...headers };
  const response = await fetch(location, { headers: sent, redirect: "manual", signal }).catch(down);
  const isArchive = response.status === 200 && response.body !== null && !response.headers.has("content-encoding");
  if (!isArchive) {
    await response.body?.cancel();
    const isDown = response.status >= 500 || response.status === 429;
    const cause = new Error(`archive: ${response.status}`);
    throw refused(response.status) ?? new SourceHostError(isDown ? "host_down" : "host_invalid", cause);
  }
  const declared = Number(response.headers.get("content-length") ?? 0);
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  if (declared > bytesMax) {
    body.on("error", () => undefined).destroy();
    throw new SourceHostError("archive_too_large");
  }
  return Readable.from(bounded(body, bytesMax), { objectMode: false });
}

async function* bounded(body: Readable, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new SourceHostError("archive_too_large");
      yield Buffer.from(chunk);
    }
  } catch (error) {
    throw error instanceof SourceHostError ? error : new SourceHostError("host_down", error);
  }
}

function down(cause: unknown): never {
  throw new SourceHostError("host_down", cause);
}
