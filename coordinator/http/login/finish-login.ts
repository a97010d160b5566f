/**
 * GET /v1/login/:provider/callback: whoever comes back from the provider is logged in, or links an account. It must be the
 * browser that started the login, within ten minutes, and once.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { accountId } from "../../accounts/account-id.ts";
import { audit } from "../../auth/audit.ts";
import { loginCookie, sessionCookie } from "../../auth/login-cookies.ts";
import { makeSession } from "../../auth/make-session.ts";
import type { Identity } from "../../domain/account.ts";
import { LoginError } from "../../login/login-error.ts";
import type { LoginProvider, ProvenIdentity } from "../../login/login-provider.ts";
import { isExpired, type LoginTransaction, openLogin } from "../../login/login-transaction.ts";
import { redirectionSchema } from "../../public/redirection.ts";
import { create } from "../../store/change.ts";
import { addressOf, type CallerDeps } from "../access/caller.ts";
import type { ProviderDeps } from "../deps/provider-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readInvitation } from "../invitations/find-invitation.ts";
import { countHeld } from "../limits/count-held.ts";
import { type PlaceDeps, Places } from "../limits/places.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import type { NearlyFullDeps } from "../limits/refuse-nearly-full.ts";
import { startSession } from "../sessions/start-session.ts";
import { failLogin } from "./fail-login.ts";
import { linkAccount } from "./link-account.ts";
import { type LoginPlan, planLogin, requireKnownOrAllowed } from "./plan-login.ts";
import { redirectInto, redirectToError } from "./redirects.ts";
import { callbackUrl, findProvider } from "./start-login.ts";

/** Each may wait for its provider. */
const AT_ONCE_MAX = 200;

const schema = {
  operationId: "finishLogin",
  summary: "Come back from a login provider",
  description:
    "For a browser that a provider leads here. It ends in the console, or on the login page with what went wrong.",
  tags: ["login"],
  security: [],
  params: z.object({ provider: z.string() }),
  response: { 303: redirectionSchema },
};

export function finishLogin(
  app: App,
  deps: CallerDeps & RecordDeps & QuotaDeps & NearlyFullDeps & ProviderDeps & SecretDeps,
): void {
  let finishing = 0;
  const places = new Places();
  app.route({
    method: "GET",
    url: "/v1/login/:provider/callback",
    exposeHeadRoute: false,
    schema,
    // Providers add their own parameters.
    config: { takesAnyQuery: true },
    handler: async (request, reply) => {
      const { provider: name } = request.params;
      const login = carriedLogin(deps, request);
      finishing += 1;
      try {
        deps.admission.rates.admitUnauthenticated(addressOf(request));
        if (finishing > AT_ONCE_MAX) throw new LoginError("unavailable");
        return await finish({ ...deps, places }, request, reply, { name, login });
      } catch (error) {
        const { returnTo, invitation = null } = login ?? {};
        return redirectToError(reply, deps, failLogin(deps, request, error), { provider: name, returnTo, invitation });
      } finally {
        finishing -= 1;
      }
    },
  });
}

/** `places` are for new users and accounts. */
type LoginDeps = RecordDeps & QuotaDeps & NearlyFullDeps & PlaceDeps & Pick<CallerDeps, "publicUrl"> & ProviderDeps;

async function finish(
  deps: LoginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, login }: { readonly name: string; readonly login: LoginTransaction | null },
): Promise<FastifyReply> {
  const { providers, clock, publicUrl } = deps;
  const provider = findProvider(providers, name);
  const parameters = new URL(request.url, publicUrl()).searchParams;
  if (login === null || !isFor(login, name, parameters)) throw new LoginError("login_not_started");
  if (isExpired(login, clock.now())) throw new LoginError("login_expired");
  const proven = await provider.identify(parameters, login, callbackUrl(publicUrl(), name));
  const forgotten = loginCookie.setCookie(null, publicUrl());
  if (login.linkForUser !== null) {
    await linkAccount(deps, request, login, proven.identity);
    reply.header("set-cookie", forgotten);
  } else {
    const cookie = await logIn(deps, request, { provider, login, proven });
    reply.header("set-cookie", [forgotten, sessionCookie.setCookie(cookie, publicUrl())]);
  }
  return redirectInto(reply, deps, login.returnTo);
}

/** The login that this browser carries. */
function carriedLogin(
  { secrets, publicUrl }: Pick<CallerDeps, "publicUrl"> & SecretDeps,
  { headers }: FastifyRequest,
): LoginTransaction | null {
  const sealed = loginCookie.read(headers.cookie, publicUrl());
  return sealed === null ? null : openLogin(secrets, sealed);
}

/** Whether it is the one that comes back here. */
function isFor({ provider, state }: LoginTransaction, name: string, parameters: URLSearchParams): boolean {
  const states = parameters.getAll("state");
  return provider === name && states.length === 1 && states[0] === state;
}

interface Come {
  readonly provider: LoginProvider;
  readonly login: LoginTransaction;
  readonly proven: ProvenIdentity;
}

/** Returns the value of the new session's cookie. */
async function logIn(deps: LoginDeps, request: FastifyRequest, { provider, login, proven }: Come): Promise<string> {
  const { store, clock } = deps;
  using held = new DisposableStack();
  if (login.invitation === null) held.defer(await requireKnownOrAllowed(deps, provider, proven, clock.now()));
  else for await (const release of reservePlaces(deps, login.invitation, proven.identity)) held.defer(release);
  const userAgent = request.headers["user-agent"];
  let done: LoginPlan | null = null;
  const { record, cookie } = await startSession(deps, request, async () => {
    if ((await store.get("used-logins", login.id)) !== null) throw new LoginError("login_used");
    const now = clock.now();
    const plan = await planLogin(store, { identity: proven.identity, invitation: login.invitation }, now);
    // Who is known can log in, to cancel and to delete.
    if (plan.user !== null && deps.storeIsNearlyFull()) throw new LoginError("unavailable");
    done = plan;
    const { userId, defaultTeamId, changes } = plan;
    const session = makeSession({ userId, defaultTeamId, provider: provider.name, userAgent }, now);
    const used = create("used-logins", { id: login.id, startedAt: login.startedAt });
    return { session, changes: [...changes, used] };
  });
  if (done !== null) auditMade(deps, request, done);
  const { id: sessionId, userId } = record;
  audit(deps.log, "session_started", { requestId: request.id, sessionId, userId, provider: provider.name });
  return cookie;
}

/** For the new member, by the invitation's code; two who come at the same time cannot both be the last. */
async function* reservePlaces(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  code: string,
  identity: Identity,
) {
  const now = clock.now();
  const { teamId } = (await readInvitation(store, code, now)).invitation.value;
  const account = await store.get("accounts", accountId(identity));
  const userId = account?.value.userId ?? null;
  if (userId !== null && (await store.get("memberships", `${userId}/${teamId}`)) !== null) return;
  yield quotas.take("membersPerTeam", teamId, countHeld(store.view, "membersPerTeam", teamId, now));
  if (userId !== null) yield quotas.take("teamsPerUser", userId, countHeld(store.view, "teamsPerUser", userId, now));
}

function auditMade({ log }: Pick<RecordDeps, "log">, { id: requestId }: FastifyRequest, made: LoginPlan): void {
  const { userId, user, team, joined } = made;
  if (user !== null) audit(log, "user_created", { requestId, userId, name: user.name });
  if (team !== null) audit(log, "team_created", { requestId, teamId: team.id, name: team.name, userId });
  if (joined !== null) audit(log, "member_added", { requestId, teamId: joined.teamId, userId, role: joined.role });
}
