/** POST /v1/me/accounts: begins to link an account. By POST, so that no other site's page can have it begun. */
import { z } from "zod";
import { isFitForLogin } from "../../auth/host-cookie.ts";
import { LoginError } from "../../login/login-error.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { ProviderDeps } from "../deps/provider-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { leadToProvider } from "../login/start-login.ts";
import { notFound, Problem } from "../problems/problem.ts";

/** Where the linked accounts are shown. */
const ACCOUNTS_PAGE = "/settings/sessions";

const schema = {
  operationId: "linkAccount",
  summary: "Begin to link a login account",
  description:
    "For a browser in which the user is logged in: it goes to `url` and comes back with the account, with which the user " +
    "logs in from then on.",
  tags: ["login"],
  body: z.strictObject({ provider: z.string() }),
  response: {
    200: z.object({ url: z.string().describe("Of the provider.") }).meta({ id: "AccountLink" }),
    ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
  },
};

export function beginLink(app: App, deps: CallerDeps & ProviderDeps & SecretDeps): void {
  app.route({
    method: "POST",
    url: "/v1/me/accounts",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      if (!isFitForLogin(deps.publicUrl())) throw new Problem("login_needs_tls", "Accounts are linked over TLS alone.");
      const purpose = { returnTo: ACCOUNTS_PAGE, invitation: null, linkForUser: keyOf(request).userId };
      const { url, cookie } = await leadToProvider(deps, request.body.provider, purpose).catch(refuse);
      return reply.header("set-cookie", cookie).send({ url });
    },
  });
}

function refuse(error: unknown): never {
  if (!(error instanceof LoginError)) throw error;
  if (error.code === "provider_unknown") throw notFound("login provider");
  throw new Problem("provider_unavailable", "The login provider does not respond as it should; try again later.", {
    cause: error,
  });
}
