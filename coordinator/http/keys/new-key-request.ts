/** The request for a new key, and how much of it the key of the request may grant. */
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";
import { hasScope, mayUseTeam } from "../../auth/authorize.ts";
import { type AccessKey, OPERATOR_SCOPES, type Scope } from "../../domain/access-key.ts";
import { nameSchema } from "../../public/name-schema.ts";
import { scopeSchema } from "../../public/scope-schema.ts";
import { timestampOrNull } from "../../public/timestamp.ts";
import type { View } from "../../store/store.ts";
import { notFound, Problem } from "../problems/problem.ts";

const EXPIRES_SECONDS_DEFAULT = 90 * 86_400;
const EXPIRES_SECONDS_MAX = 10 * 365 * 86_400;

const OPERATORS_ONLY =
  `The scopes ${OPERATOR_SCOPES.join(" and ")} are a session's for an hour: a key with them is made by ` +
  "`elastic-coordinator key create`.";

export const newKeySchema = z.strictObject({
  name: nameSchema,
  scopes: z.array(scopeSchema).min(1).max(20),
  expires_in_seconds: z
    .int()
    .min(60)
    .max(EXPIRES_SECONDS_MAX)
    .nullable()
    .optional()
    .describe(
      "null for a key that never expires. 90 days if left out, or until the key of the request expires, if that is earlier; " +
        "a longer time than that is refused (`beyond_key`).",
    ),
  team_id: z
    .string()
    .nullable()
    .optional()
    .describe("Binds the key to one team; null for all teams of its user. As the key of the request, if left out."),
});

export type NewKeyRequest = z.output<typeof newKeySchema>;

/** Throws the refusal where the new key would open more than the key of the request. */
export function refuseBeyond(
  view: Pick<View, "memberships" | "teams">,
  caller: AccessKey,
  requested: Pick<NewKeyRequest, "scopes" | "team_id">,
): void {
  const missing = requested.scopes.find((scope) => !hasScope(caller, scope));
  if (missing !== undefined) throw lacks(missing);
  if (caller.operatorUntil !== undefined && requested.scopes.some((scope) => OPERATOR_SCOPES.includes(scope))) {
    throw new Problem("beyond_key", OPERATORS_ONLY);
  }
  if (requested.team_id === null && caller.teamId !== null) {
    throw new Problem("beyond_key", "This access key is bound to a team: the keys that it makes are bound to it too.");
  }
  const teamId = boundTeamOf(caller, requested);
  if (teamId !== null && !mayUseTeam(view, caller, teamId)) throw notFound("team");
}

/**
 * When the new key ends: never after the key of the request, or whoever holds that for an hour would hold its like for ever.
 * Throws the refusal where a later end is requested.
 */
export function endOfNewKey(
  caller: AccessKey,
  requested: Pick<NewKeyRequest, "expires_in_seconds">,
  now: Instant,
): Instant | null {
  const callersEnd = caller.expiresAt ?? Number.POSITIVE_INFINITY;
  const { expires_in_seconds: seconds } = requested;
  if (seconds === undefined) return Math.min(now + EXPIRES_SECONDS_DEFAULT * 1000, callersEnd);
  const end = seconds === null ? Number.POSITIVE_INFINITY : now + seconds * 1000;
  if (end <= callersEnd) return seconds === null ? null : end;
  const detail = `This access key ends at ${timestampOrNull(caller.expiresAt)}: the keys that it makes end no later.`;
  const errors = [{ pointer: "#/expires_in_seconds", detail: "later than the end of the key of the request" }];
  throw new Problem("beyond_key", detail, { errors });
}

/** The team that the new key is bound to, or null. */
export function boundTeamOf(caller: AccessKey, requested: Pick<NewKeyRequest, "team_id">): string | null {
  return requested.team_id === undefined ? caller.teamId : requested.team_id;
}

function lacks(scope: Scope): Problem {
  const detail = `The access key has not the scope ${scope} itself, so no key that it makes can have it.`;
  return new Problem("scope_missing", detail, { errors: [{ pointer: "#/scopes", detail: `${scope} is not given` }] });
}
