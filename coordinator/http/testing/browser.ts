/** What a browser with the console open sends: the cookie of its session, and the origin of its page. */
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { addLoginLink } from "../../accounts/add-login-link.ts";
import { sessionCookie as cookieOfSessions } from "../../auth/login-cookies.ts";
import { makeSession } from "../../auth/make-session.ts";
import { create } from "../../store/change.ts";
import { type CallResponse, call } from "./call.ts";
import type { HttpFixture, Tenant } from "./http-fixture.ts";

export interface Browsing {
  readonly cookie: string;
  readonly method?: string;
  readonly body?: string;
  /** Those of the console's own page where they are left out. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request of the console to `path`, below `/v1`. */
export function browse(api: HttpFixture, path: string, { cookie, headers, ...rest }: Browsing): Promise<CallResponse> {
  return call(`${api.url}/v1${path}`, { ...rest, headers: { cookie, ...(headers ?? { origin: api.url }) } });
}

/** The token of a login link for the user. */
export async function loginToken(
  api: HttpFixture,
  { userId }: Tenant = api.own,
  clock: Clock = systemClock,
): Promise<string> {
  const user = api.store.view.users.get(userId)?.value;
  if (user === undefined) throw new Error("no user");
  return (await addLoginLink(api.store, user, clock)).token;
}

/** The request that the login page sends. */
export function postSession(
  api: HttpFixture,
  token: string,
  headers: Readonly<Record<string, string>> = { origin: api.url },
): Promise<CallResponse> {
  return call(`${api.url}/v1/sessions`, { body: JSON.stringify({ login_token: token }), headers });
}

/** The cookie of a session that was started at `startedAt`. */
export async function sessionCookie(
  api: HttpFixture,
  { userId, teamId: defaultTeamId }: Tenant,
  startedAt: number,
): Promise<string> {
  const of = { userId, defaultTeamId, provider: "login-link", userAgent: "browser" };
  const { record, cookie } = makeSession(of, startedAt);
  await api.store.commit([create("sessions", record)]);
  return cookieOf(cookieOfSessions.setCookie(cookie, api.url));
}

/** What a browser sends back of a `Set-Cookie`. */
export function cookieOf(setCookie: string | null): string {
  return (setCookie ?? "").split(";", 1)[0] ?? "";
}
