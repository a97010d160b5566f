/**
 * Who calls: the key of a request, or the session of the browser that sent it, what it may do, and the team it acts in.
 * A request with a key is never taken for its browser's: what is in the header decides.
 */
import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from "fastify";
import { type Authentication, authenticate, authenticateSession, recheck } from "../../auth/authenticate.ts";
import { type Caller, hasScope, mayUseTeam, teamOfCall } from "../../auth/authorize.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import { type AccessKey, OPERATOR_SCOPES, type Scope } from "../../domain/access-key.ts";
import type { LoginFailure } from "../../login/login-failures.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { notFound, Problem } from "../problems/problem.ts";
import type { Admission } from "./admission.ts";
import { permissionOf } from "./permission.ts";
import { presentedKey, presentsTwoKeys } from "./presented-key.ts";
import { requestedTeam } from "./requested-team.ts";
import { requireSameOrigin } from "./same-origin.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** That of a session where a browser calls. */
    accessKey: Caller | null;
  }
}

const SESSION_ENDED = "You are logged out: the session of this browser has ended. Log in again.";
const LOGIN_TOO_OLD = "Your login is more than an hour old: to work as an operator, log in again.";
const DISABLED =
  "The access key is disabled since the service was restored from a backup, until an operator has confirmed it.";
const TWO_KEYS =
  "The request has two different access keys, one in the header x-api-key and one as Authorization: Bearer <key>, so that " +
  "nothing was done: send one of them.";
const BOUND = "This access key is bound to a team; this takes one that is for all teams of its user.";

/** What it takes to know who calls. */
export interface CallerDeps extends Pick<RecordDeps, "store" | "clock"> {
  readonly admission: Admission;
  /** Without a slash at the end; begins every link in a record. */
  readonly publicUrl: () => string;
}

/** A hook that lets only keys through, and knows which. */
export interface KeyHook extends onRequestHookHandler {
  /** Any one of them is enough; where the list is empty, any valid key is. */
  readonly scopes: readonly Scope[];
  /** Keys that are bound to a team are refused. */
  readonly unboundOnly: boolean;
  /** Throws the refusal where the key, let through before the body came, is not valid any more, or may do less. */
  readonly recheck: (request: FastifyRequest) => void;
}

/** A hook that lets through only keys with one of the scopes; with none given, any valid key. */
export function requireKey(deps: CallerDeps, ...anyOf: readonly Scope[]): KeyHook {
  return keyHook(deps, anyOf, false);
}

/**
 * The same for what is of no one team: the fleet, and what its user is in all teams. A key that is bound to a team is
 * given away for what is in that team, whatever its scopes are.
 */
export function requireUnboundKey(deps: CallerDeps, ...anyOf: readonly Scope[]): KeyHook {
  return keyHook(deps, anyOf, true);
}

function keyHook(deps: CallerDeps, anyOf: readonly Scope[], unboundOnly: boolean): KeyHook {
  const letThrough = (request: FastifyRequest, reply: FastifyReply, identified: Identified): void => {
    const key = admit(deps, request, reply, identified, anyOf);
    if (unboundOnly && key.teamId !== null) throw new Problem("beyond_key", BOUND);
    request.accessKey = key;
  };
  const hook: onRequestHookHandler = (request, reply, done) => {
    const identified = identify(deps, request);
    if (identified.found.kind !== "unavailable") {
      letThrough(request, reply, identified);
      done();
      return;
    }
    deps.admission.freshView
      .untilFreshOrTimeout()
      .then(() => letThrough(request, reply, identify(deps, request)))
      .then(() => done(), done);
  };
  const recheckAfterBody = (request: FastifyRequest): void => {
    const caller = keyOf(request);
    const key = recheckedKey(deps, caller);
    if (!mayAny(key, anyOf)) throw lacksScope(deps, request, key, anyOf);
    request.accessKey = { ...caller, ...key };
  };
  return Object.assign(hook, { scopes: anyOf, unboundOnly, recheck: recheckAfterBody });
}

/** That of an endpoint; null where it requires no key. */
export function keyHookOf({ onRequest }: RouteOptions): KeyHook | null {
  for (const hook of [onRequest].flat()) if (typeof hook === "function" && "scopes" in hook) return hook as KeyHook;
  return null;
}

/** The same for an endpoint that requires a key only sometimes. */
export async function checkKey(
  deps: CallerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  ...anyOf: readonly Scope[]
): Promise<Caller> {
  const identified = identify(deps, request);
  if (identified.found.kind !== "unavailable") return admit(deps, request, reply, identified, anyOf);
  await deps.admission.freshView.untilFreshOrTimeout();
  return admit(deps, request, reply, identify(deps, request), anyOf);
}

/**
 * Before a delayed response: throws the refusal where the key was revoked meanwhile, or its user has left the team.
 */
export function refuseEnded(deps: Pick<CallerDeps, "store" | "clock">, caller: Caller, teamId: string): void {
  if (!mayUseTeam(deps.store.view, recheckedKey(deps, caller), teamId)) throw notFound("team");
}

/** As it is by now. Throws the refusal where it has ended since it was let through. */
function recheckedKey(
  { store, clock }: Pick<CallerDeps, "store" | "clock">,
  { id, isSession }: Pick<Caller, "id" | "isSession">,
): AccessKey {
  const found = recheck(store.view, id, clock.now());
  if (found.kind === "unavailable") throw cannotBeChecked();
  if (found.kind === "refused") throw isSession ? sessionEnded() : refusal(found.why);
  return found.key;
}

/** The key that `requireKey` let through. */
export function keyOf(request: FastifyRequest): Caller {
  if (request.accessKey === null) throw new Error(`${request.url} is served without a key`);
  return request.accessKey;
}

/** The team of a list or a create. */
export function teamOf({ store }: Pick<CallerDeps, "store">, request: FastifyRequest): string {
  const teamId = teamOfCall(store.view, keyOf(request), requestedTeam(request));
  if (teamId === null) throw notFound("team");
  return teamId;
}

interface Identified {
  readonly found: Authentication;
  /** Whether the request has the session of a browser, and no key. */
  readonly isSession: boolean;
}

function identify(deps: CallerDeps, request: FastifyRequest): Identified {
  const { store, clock } = deps;
  if (presentsTwoKeys(request.headers)) {
    return { found: { kind: "refused", why: "contradictory", keyId: null }, isSession: false };
  }
  const session = sessionOf(deps, request);
  if (session !== null) return { found: authenticateSession(store.view, session, clock.now()), isSession: true };
  return { found: authenticate(store.view, presentedKey(request.headers), clock.now()), isSession: false };
}

/** The value of the cookie with which a browser calls; null where a key is shown, or nothing. */
function sessionOf({ publicUrl }: Pick<CallerDeps, "publicUrl">, { headers }: FastifyRequest): string | null {
  return presentedKey(headers) === undefined ? sessionCookie.read(headers.cookie, publicUrl()) : null;
}

function admit(
  deps: CallerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { found, isSession }: Identified,
  anyOf: readonly Scope[],
): Caller {
  if (found.kind === "unavailable") throw cannotBeChecked();
  if (found.kind === "refused") {
    countUnauthenticated(deps, request, found);
    throw isSession ? sessionEnded() : refusal(found.why);
  }
  const { key } = found;
  const { rates, uses } = deps.admission;
  const access = request.method === "GET" || request.method === "HEAD" ? "reads" : "writes";
  if (access === "writes" && isSession) requireSameOrigin(request, deps.publicUrl());
  const { policy, left } = rates.admit(key.id, countedTeam(deps, request, key), access);
  reply.header("ratelimit-policy", policy);
  reply.header("ratelimit", left);
  uses.note(key.id, deps.clock.now());
  if (!mayAny(key, anyOf)) throw lacksScope(deps, request, key, anyOf);
  return { ...key, permission: permissionOf(request), isSession };
}

function mayAny(key: AccessKey, anyOf: readonly Scope[]): boolean {
  return anyOf.length === 0 || anyOf.some((scope) => hasScope(key, scope));
}

/** The team whose rate a request counts against: the one it names, else the key's own. */
function countedTeam({ store }: CallerDeps, request: FastifyRequest, key: AccessKey): string {
  const requested = requestedTeam(request);
  if (requested !== undefined && requested !== key.defaultTeamId && mayUseTeam(store.view, key, requested))
    return requested;
  return key.teamId ?? key.defaultTeamId;
}

function sessionEnded(): Problem {
  return new Problem("session_invalid", SESSION_ENDED);
}

/** For whoever shows what opens nothing. Throws the refusal of an address that has shown too much of it. */
export function countUnauthenticated(
  { admission }: Pick<CallerDeps, "admission">,
  request: FastifyRequest,
  { why, keyId }: Pick<LoginFailure, "why" | "keyId">,
): void {
  const address = addressOf(request);
  admission.failures.note({ why, keyId, address, requestId: request.id });
  admission.rates.admitUnauthenticated(address);
}

function lacksScope(
  { admission }: CallerDeps,
  request: FastifyRequest,
  key: AccessKey,
  anyOf: readonly Scope[],
): Problem {
  const failure = { why: "scope_missing", keyId: key.id, address: addressOf(request), requestId: request.id } as const;
  admission.failures.note(failure);
  if (key.operatorUntil !== undefined && anyOf.some((scope) => OPERATOR_SCOPES.includes(scope))) {
    return new Problem("login_too_old", LOGIN_TOO_OLD);
  }
  return new Problem("scope_missing", `The access key needs the scope ${anyOf.join(" or ")}.`);
}

function cannotBeChecked(): Problem {
  return new Problem("store_unavailable", "Access keys cannot be checked now.");
}

/** Of the client: what trusted proxies say of it, as far as it is an address. */
export function addressOf({ ip, raw }: FastifyRequest): string {
  return isIP(ip) === 0 ? (raw.socket.remoteAddress ?? "unknown") : ip;
}

const BOTH_WAYS = "in the header x-api-key or as Authorization: Bearer <key>";

function refusal(why: Extract<Authentication, { kind: "refused" }>["why"]): Problem {
  switch (why) {
    case "missing":
      return new Problem(
        "key_missing",
        `There is no access key, or something else is in its place: send one, which begins with eps_, ${BOTH_WAYS}.`,
      );
    case "contradictory":
      return new Problem("key_invalid", TWO_KEYS);
    case "malformed":
      return new Problem(
        "key_invalid",
        `The access key is malformed, as if part of it were missing or mistyped: send all of it, ${BOTH_WAYS}.`,
      );
    case "expired":
      return new Problem("key_invalid", "The access key has expired.");
    case "revoked":
      return new Problem("key_invalid", "The access key was revoked.");
    case "disabled":
      return new Problem("key_invalid", DISABLED);
    default:
      return new Problem("key_invalid", "The access key is not valid.");
  }
}
