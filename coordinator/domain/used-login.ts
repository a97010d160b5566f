/** A login at a provider that has made a session. Its state can make no other. */
import type { Instant } from "@elastic/std/clock.ts";

/** Within it, whoever starts a login has to come back from the provider. */
export const LOGIN_MS = 10 * 60_000;

export interface UsedLogin {
  readonly id: string;
  readonly startedAt: Instant;
}

/** Whether it would be rejected for its age alone. */
export function isLoginForgotten({ startedAt }: UsedLogin, now: Instant): boolean {
  return startedAt + LOGIN_MS <= now;
}
