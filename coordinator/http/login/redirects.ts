/** Where the browser goes when a login has come to its end: into the console, or to a sentence on the login page. */
import type { FastifyReply } from "fastify";
import { loginCookie } from "../../auth/login-cookies.ts";
import { LoginError, type LoginErrorCode } from "../../login/login-error.ts";
import { HOME } from "../../login/return-path.ts";
import { StoreUnavailableError } from "../../store/kv.ts";
import { TooManyConflictsError } from "../../store/update.ts";
import type { CallerDeps } from "../access/caller.ts";
import { Problem, type ProblemCode } from "../problems/problem.ts";

/** After a request for a page, browsers get the next one (RFC 9110 §15.4.4). */
const SEE_OTHER = 303;

export function redirectTo(reply: FastifyReply, address: string): FastifyReply {
  return reply.code(SEE_OTHER).header("location", address).send();
}

/** `path` is one of return-path.ts. The origin is named, so that no path can name another. */
export function redirectInto(
  reply: FastifyReply,
  { publicUrl }: Pick<CallerDeps, "publicUrl">,
  path: string,
): FastifyReply {
  return redirectTo(reply, new URL(publicUrl()).origin + path);
}

/** What the user wanted of the login: the next one gets it too. */
export interface Wanted {
  readonly provider: string;
  readonly returnTo: string | undefined;
  readonly invitation: string | null;
}

/** Says on the login page what went wrong. A login of this browser that is still on its way is left alone. */
export function redirectToError(
  reply: FastifyReply,
  deps: Pick<CallerDeps, "publicUrl">,
  code: LoginErrorCode,
  { provider, returnTo = HOME, invitation }: Wanted,
): FastifyReply {
  if (code !== "login_not_started") reply.header("set-cookie", loginCookie.setCookie(null, deps.publicUrl()));
  const query = new URLSearchParams({ error: code, provider });
  if (returnTo !== HOME) query.set("return_to", returnTo);
  if (invitation !== null && code !== "invitation_invalid") query.set("invitation", invitation);
  return redirectInto(reply, deps, `/login?${query}`);
}

const CODE_OF_PROBLEM: Partial<Readonly<Record<ProblemCode, LoginErrorCode>>> = {
  not_found: "invitation_invalid",
  quota_exceeded: "quota_exceeded",
  rate_limited: "rate_limited",
};

/** Null for a fault of this service. */
export function loginErrorOf(error: unknown): LoginErrorCode | null {
  if (error instanceof LoginError) return error.code;
  if (error instanceof StoreUnavailableError || error instanceof TooManyConflictsError) return "unavailable";
  return error instanceof Problem ? (CODE_OF_PROBLEM[error.code] ?? null) : null;
}
