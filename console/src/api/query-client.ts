/** What has been read of the service, shared by all pages. A refusal is final; what failed on the way is tried again. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./problem.ts";

const RETRIES_MAX = 3;
const FRESH_MS = 5_000;
/** Live updates say what to read again; this is for what they do not cover. */
const REFRESH_MS = 60_000;

const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status < 500 && error.status !== 429;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchInterval: REFRESH_MS,
      retry: (failures, error) => !isFinal(error) && failures < RETRIES_MAX,
    },
  },
});
