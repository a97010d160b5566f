/** Requests to a login provider: bounded in time and in size, and never led elsewhere. */
import { boundedFetch, FetchError } from "@elastic/std/net/bounded-fetch.ts";
import type { CustomFetchOptions, ProtectedResourceRequestBody } from "oauth4webapi";
import { LoginError } from "./login-error.ts";

export const PROVIDER_DEADLINE_MS = 10_000;
const BYTES_MAX = 1024 * 1024;

type Fetch = (url: string, init: CustomFetchOptions<string, ProtectedResourceRequestBody>) => Promise<Response>;

/** Throws a LoginError where the provider does not respond in time, fails itself, or sends too much. */
export function providerFetch(deadlineMs: number): Fetch {
  return async (url, { method, headers, body = null }) => {
    try {
      return await boundedFetch(url, { method, headers, body, deadlineMs, bytesMax: BYTES_MAX });
    } catch (error) {
      const isTooLarge = error instanceof FetchError && error.kind === "too_large";
      throw new LoginError(isTooLarge ? "provider_invalid" : "provider_unreachable", error);
    }
  };
}
