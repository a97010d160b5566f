/** Requests to a login provider: bounded in time and in size, and never led elsewhere. */
import type { CustomFetchOptions, ProtectedResourceRequestBody } from "oauth4webapi";
import { LoginError } from "./login-error.ts";

export const PROVIDER_DEADLINE_MS = 10_000;
const BYTES_MAX = 1024 * 1024;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

type Fetch = (url: string, init: CustomFetchOptions<string, ProtectedResourceRequestBody>) => Promise<Response>;

/** Throws a LoginError where the provider does not answer in time, has a fault of its own, or sends too much. */
export function providerFetch(deadlineMs: number): Fetch {
  return async (url, { method, headers, body: sent = null }) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const request = { method, headers, body: sent, redirect: "manual", signal } as const;
    const response = await fetch(url, request).catch(unreachable);
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw new LoginError("provider_unreachable", new Error(`${url}: ${response.status}`));
    }
    const body = await readBounded(response);
    const { status } = response;
    return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: response.headers });
  };
}

async function readBounded(response: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read().catch(unreachable)) ?? { done: true };
    if (done || value === undefined) return new Blob(chunks);
    bytes += value.byteLength;
    if (bytes > BYTES_MAX) {
      await reader?.cancel();
      throw new LoginError("provider_invalid", new Error(`${response.url}: more than ${BYTES_MAX} bytes`));
    }
    chunks.push(value);
  }
}

function unreachable(cause: unknown): never {
  throw new LoginError("provider_unreachable", cause);
}
