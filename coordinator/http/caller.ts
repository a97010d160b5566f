/** Who calls: the key of a request, what it may do, and the team it acts in. */
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { type Authentication, authenticate } from "../auth/authenticate.ts";
import { hasScope, teamOfCall } from "../auth/authorize.ts";
import type { AccessKey, Scope } from "../domain/access-key.ts";
import type { HttpDeps } from "./http-deps.ts";
import { notFound, Problem } from "./problem.ts";

declare module "fastify" {
  interface FastifyRequest {
    accessKey: AccessKey | null;
  }
}

/** A hook that lets through only keys with one of the scopes; with none given, any valid key. */
export function requireKey(deps: Pick<HttpDeps, "store" | "clock">, ...anyOf: readonly Scope[]): onRequestHookHandler {
  return (request, _reply, done) => {
    const key = checkKey(deps, request);
    if (anyOf.length > 0 && !anyOf.some((scope) => hasScope(key, scope))) {
      throw new Problem("scope_missing", `The access key needs the scope ${anyOf.join(" or ")}.`);
    }
    request.accessKey = key;
    done();
  };
}

export function checkKey({ store, clock }: Pick<HttpDeps, "store" | "clock">, request: FastifyRequest): AccessKey {
  const text = request.headers["x-api-key"];
  const found = authenticate(store.view, typeof text === "string" ? text : undefined, clock.now());
  if (found.kind === "key") return found.key;
  if (found.kind === "unavailable") throw new Problem("store_unavailable", "Access keys cannot be checked now.");
  throw refusal(found);
}

/** The key that `requireKey` let through. */
export function keyOf(request: FastifyRequest): AccessKey {
  if (request.accessKey === null) throw new Error(`${request.url} is served without a key`);
  return request.accessKey;
}

/** The team of a list or a create. */
export function teamOf({ store }: Pick<HttpDeps, "store">, request: FastifyRequest): string {
  const asked = request.headers["x-team"];
  const teamId = teamOfCall(store.view, keyOf(request), typeof asked === "string" ? asked : undefined);
  if (teamId === null) throw notFound("team");
  return teamId;
}

function refusal({ why }: Extract<Authentication, { kind: "refused" }>): Problem {
  switch (why) {
    case "missing":
      return new Problem("key_missing", "The header x-api-key is missing.");
    case "expired":
      return new Problem("key_invalid", "The access key has expired.");
    case "revoked":
      return new Problem("key_invalid", "The access key was revoked.");
    default:
      return new Problem("key_invalid", "The access key is not valid.");
  }
}
