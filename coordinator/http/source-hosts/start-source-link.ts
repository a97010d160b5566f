/** POST /v1/source-hosts/:host/connections: begins to connect an account. By POST, so that no other site's page can begin it. */
import { z } from "zod";
import { isFitForLogin } from "../../auth/host-cookie.ts";
import { sourceLinkCookie } from "../../auth/login-cookies.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { returnPath } from "../../login/return-path.ts";
import { refusals } from "../../public/refusals.ts";
import { beginLink, sealLink } from "../../source-hosts/link-transaction.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound, Problem } from "../problems/problem.ts";
import { findSourceHost, type SourceHostDeps } from "./find-source.ts";

const schema = {
  operationId: "startSourceLink",
  summary: "Begin to connect an account at a source host",
  description:
    "For a browser in which the user is logged in: it goes to `redirect_url`, where the app is installed or authorized, and comes back to " +
    "`return_to` with `connection_id`, or with `source_error`, in the query. The team's connection then has the repositories " +
    "that the user may read. With `connection_id` the connection is renewed: the user only authorizes the app again.",
  tags: ["sources"],
  params: z.object({ host: z.string() }),
  body: z.strictObject({
    return_to: z.string().max(1_000).optional().describe("A page of the console."),
    connection_id: z.string().optional(),
  }),
  response: {
    200: z.object({ redirect_url: z.string().describe("At the source host.") }).meta({ id: "SourceLink" }),
    ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
  },
};

export function startSourceLink(app: App, deps: CallerDeps & SourceHostDeps & SecretDeps): void {
  app.route({
    method: "POST",
    url: "/v1/source-hosts/:host/connections",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { publicUrl, secrets, clock } = deps;
      if (!isFitForLogin(publicUrl())) throw new Problem("login_needs_tls", "Accounts are connected over TLS alone.");
      const host = findSourceHost(deps.sourceHosts, request.params.host);
      const { id: callerId, userId } = keyOf(request);
      const connection = await renewed(deps, keyOf(request), host.name, request.body.connection_id);
      const teamId = connection?.teamId ?? teamOf(deps, request);
      const purpose = {
        host: host.name,
        returnTo: returnPath(request.body.return_to),
        callerId,
        userId,
        teamId,
        connection: connection && { id: connection.id, installationId: connection.installationId },
      };
      const link = beginLink(purpose, clock.now());
      const url =
        connection === null && host.installationUrl !== null
          ? await host.installationUrl(link)
          : await host.authorizationUrl(link, sourceCallbackUrl(publicUrl(), host.name));
      const cookie = sourceLinkCookie.setCookie(sealLink(secrets, link), publicUrl());
      return reply.header("set-cookie", cookie).send({ redirect_url: url.href });
    },
  });
}

async function renewed({ store }: Pick<RecordDeps, "store">, key: AccessKey, host: string, id: string | undefined) {
  if (id === undefined) return null;
  const { value } = await readVisible(store, key, "source-connections", id);
  // The same words as for an unknown one.
  if (value.host !== host) throw notFound("source connection");
  return value;
}

export function sourceCallbackUrl(publicUrl: string, name: string): string {
  return `${publicUrl}/v1/source-hosts/${name}/callback`;
}
