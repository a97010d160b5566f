/** Checks the health of a prover. */
import type { Dispatcher } from "undici";

export type Health =
  /** `busy` is null where the prover does not say. */
  { readonly kind: "ready"; readonly busy: boolean | null } | { readonly kind: "not-ready"; readonly why: string };

const ANSWER_TIMEOUT_MS = 2_000;
const BODY_BYTES_MAX = 16 * 1024;

/** Images of the original service have no such route: 404 or 405 on an open port is as good as yes. */
export async function checkHealth(prover: Dispatcher, signal: AbortSignal): Promise<Health> {
  try {
    const answer = await prover.request({
      method: "GET",
      path: "/healthz",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    const { statusCode } = answer;
    const body = await readAtMost(answer.body, BODY_BYTES_MAX);
    if (statusCode >= 200 && statusCode < 300) return { kind: "ready", busy: busyOf(body) };
    if (statusCode === 404 || statusCode === 405) return { kind: "ready", busy: null };
    return { kind: "not-ready", why: `GET /healthz returned ${statusCode}` };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "not-ready", why: `GET /healthz: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export async function readAtMost(body: Dispatcher.ResponseData["body"], bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

/** The SDK returns `{"status":"ready","busy":false}`. */
function busyOf(body: Buffer): boolean | null {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    const busy = parsed !== null && typeof parsed === "object" && "busy" in parsed ? parsed.busy : null;
    return typeof busy === "boolean" ? busy : null;
  } catch {
    return null;
  }
}
