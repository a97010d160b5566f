/**
 * What has been read of the service, shared by all pages. A refusal is final; what failed on the way is tried again. Once the
 * session has ended, the first refusal leads out of the console.
 */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/problem.ts";
import { leaveSession } from "./leave-session.ts";
import { loginPageAddress } from "./login-search.ts";
import { meQuery } from "./use-me.ts";

const RETRIES_MAX = 3;
const FRESH_MS = 5_000;
/** Live updates say what to read again; this is for what they do not cover. */
const REFRESH_MS = 60_000;

const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status < 500 && error.status !== 429;

/** Before it is known who is logged in, the router leads to the login page. */
function onError(error: unknown): void {
  const isEnded = error instanceof ApiError && error.status === 401;
  if (!isEnded || queryClient.getQueryData(meQuery.queryKey) === undefined) return;
  const { pathname, search } = window.location;
  leaveSession(loginPageAddress(pathname + search));
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchInterval: REFRESH_MS,
      retry: (failures, error) => !isFinal(error) && failures < RETRIES_MAX,
    },
  },
});
