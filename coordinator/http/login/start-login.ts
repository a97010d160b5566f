/** GET /v1/login/:provider: sends the browser to the provider, with what it has to bring back in a cookie. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { isFitForLogin } from "../../auth/host-cookie.ts";
import { loginCookie } from "../../auth/login-cookies.ts";
import { LoginError } from "../../login/login-error.ts";
import type { LoginProvider } from "../../login/login-provider.ts";
import { beginLogin, type LoginPurpose, sealLogin } from "../../login/login-transaction.ts";
import { returnPath } from "../../login/return-path.ts";
import { redirectionSchema } from "../../public/redirection.ts";
import { addressOf, type CallerDeps } from "../access/caller.ts";
import type { ProviderDeps } from "../deps/provider-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { failLogin } from "./fail-login.ts";
import { redirectTo, redirectToError } from "./redirects.ts";

/** Longer than any, and short enough for a cookie. */
const CODE_LENGTH_MAX = 200;

const schema = {
  operationId: "startLogin",
  summary: "Log in at a provider",
  description:
    "For a browser: leads to the provider, which leads back to the callback. `return_to` is the page of the console to come " +
    "to then, and `invitation` the code of an invitation that is accepted with the login. What goes wrong is said on the login page.",
  tags: ["login"],
  security: [],
  params: z.object({ provider: z.string() }),
  // What is no text is left out: a browser is shown no problem in JSON.
  querystring: z.object({
    return_to: z.string().optional().catch(undefined),
    invitation: z.string().max(CODE_LENGTH_MAX).optional().catch(undefined),
  }),
  response: { 303: redirectionSchema },
};

export function startLogin(
  app: App,
  deps: Pick<CallerDeps, "clock" | "admission" | "publicUrl"> & Pick<RecordDeps, "log"> & ProviderDeps & SecretDeps,
): void {
  app.route({
    method: "GET",
    url: "/v1/login/:provider",
    exposeHeadRoute: false,
    schema,
    // An old bookmark, or a proxy that adds to addresses, still finds the login page.
    config: { takesAnyQuery: true },
    handler: async (request, reply) => {
      const { provider: name } = request.params;
      const { return_to, invitation = null } = request.query;
      const returnTo = returnPath(return_to);
      try {
        requireOwnPage(request, invitation !== null);
        if (!isFitForLogin(deps.publicUrl())) throw new LoginError("login_needs_tls");
        deps.admission.rates.admitUnauthenticated(addressOf(request));
        const purpose = { returnTo, invitation, linkForUser: null };
        const { url, cookie } = await leadToProvider(deps, name, purpose);
        return redirectTo(reply.header("set-cookie", cookie), url);
      } catch (error) {
        return redirectToError(reply, deps, failLogin(deps, request, error), { provider: name, returnTo, invitation });
      }
    },
  });
}

/** Where to send the browser, and the cookie that it has to bring back. Throws a LoginError. */
export async function leadToProvider(
  { providers, secrets, clock, publicUrl }: Pick<CallerDeps, "clock" | "publicUrl"> & ProviderDeps & SecretDeps,
  name: string,
  purpose: LoginPurpose,
): Promise<{ readonly url: string; readonly cookie: string }> {
  const login = beginLogin(name, purpose, clock.now());
  const url = await findProvider(providers, name).authorizationUrl(login, callbackUrl(publicUrl(), name));
  return { url: url.href, cookie: loginCookie.setCookie(sealLogin(secrets, login), publicUrl()) };
}

export function findProvider(providers: readonly LoginProvider[], name: string): LoginProvider {
  const provider = providers.find((one) => one.name === name);
  if (provider === undefined) throw new LoginError("provider_unknown");
  return provider;
}

export function callbackUrl(publicUrl: string, name: string): string {
  return `${publicUrl}/v1/login/${name}/callback`;
}

/**
 * A page of another site could else log its visitor in, or have them accept an invitation. An old browser does not say
 * whose page it was; that is no matter where nothing is accepted.
 */
function requireOwnPage({ headers }: FastifyRequest, isInvited: boolean): void {
  const site = headers["sec-fetch-site"];
  const isOwn = site === "same-origin" || (!isInvited && (site === undefined || site === "none"));
  if (!isOwn) throw new LoginError("login_foreign");
}
