/** Requests to a host that settings name: bounded in time and in size, and never led elsewhere. */

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** `unreachable`: no response in time, or a fault of the host. `too_large`: more bytes than are accepted. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly kind: "unreachable" | "too_large";

  constructor(kind: FetchError["kind"], cause: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

export interface BoundedRequest {
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: NonNullable<Parameters<typeof fetch>[1]>["body"];
  /** From the connection to the last byte of the response. */
  readonly deadlineMs: number;
  /** Of the response's body. */
  readonly bytesMax: number;
}

/** The response with its body read. Redirections are responses. Throws a FetchError. */
export async function boundedFetch(url: string, request: BoundedRequest): Promise<Response> {
  const { method, headers, body: sent = null } = request;
  const signal = AbortSignal.timeout(request.deadlineMs);
  const response = await fetch(url, { method, headers, body: sent, redirect: "manual", signal }).catch(unreachable);
  if (response.status >= 500 || response.status === 429) {
    await response.body?.cancel();
    throw new FetchError("unreachable", new Error(`${url}: ${response.status}`));
  }
  const body = await readBounded(response, request.bytesMax);
  const { status } = response;
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: response.headers });
}

async function readBounded(response: Response, bytesMax: number): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read().catch(unreachable)) ?? { done: true };
    if (done || value === undefined) return new Blob(chunks);
    bytes += value.byteLength;
    if (bytes > bytesMax) {
      await reader?.cancel();
      throw new FetchError("too_large", new Error(`${response.url}: more than ${bytesMax} bytes`));
    }
    chunks.push(value);
  }
}

function unreachable(cause: unknown): never {
  throw new FetchError("unreachable", cause);
}
