/** A client whose every response is noted, with what it says about trying again. */
import type { ApiClient } from "../cluster/api-client.ts";

export interface Observed {
  readonly atMs: number;
  readonly status: number;
  /** Null where the response has no such header. */
  readonly retryAfter: string | null;
}

export function observedClient(client: ApiClient, note: (observed: Observed) => void): ApiClient {
  return {
    ...client,
    async call(path, request) {
      const response = await client.call(path, request);
      const retryAfter = response.headers.get("retry-after");
      note({ atMs: performance.now(), status: response.status, retryAfter });
      return response;
    },
  };
}
