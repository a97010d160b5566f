/**
 * GET /v1/registry/token: the token service of the registry, as the distribution registry's token authentication has
 * it. What may not be done is left out of the token without a word, and the registry refuses it.
 *
 * A token is good for five minutes after it was made, whatever becomes of the key in between.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { assignmentAccess, imagesOfAssignment } from "../../registry/assignment-access.ts";
import { keyAccess } from "../../registry/key-access.ts";
import type { OwnRegistry } from "../../registry/own-registry.ts";
import { looksLikePullGrant, readPullGrant } from "../../registry/pull-grant.ts";
import { type Access, parseScopes } from "../../registry/scope.ts";
import { type CallerDeps, checkKey, countUnauthenticated } from "../access/caller.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import { basicPassword } from "./basic-credentials.ts";
import { noRegistry } from "./no-registry.ts";

const SCOPE_LENGTH_MAX = 1_024;
const SCOPES_MAX = 32;
const TWO_KEYS =
  "The request has a key in the header x-api-key and another one as the password, so that no token was made: send one of them.";
const CHALLENGE = { "www-authenticate": 'Basic realm="elastic", charset="UTF-8"' };

const scopeSchema = z.string().max(SCOPE_LENGTH_MAX);

const schema = {
  operationId: "getRegistryToken",
  summary: "Get a token for the registry",
  description:
    "The token service of the registry; container engines call it automatically. An access key as the password of Basic " +
    "authentication, with any user name, or in `x-api-key`, may pull and push in the repositories of its teams. A token " +
    "is good for up to five minutes, also when its key is revoked meanwhile.",
  tags: ["registry"],
  security: [{ registryPassword: [] }, { accessKey: [] }],
  querystring: z.object({
    service: z.string().max(256).optional().describe("As the registry names itself."),
    scope: z
      .union([scopeSchema, z.array(scopeSchema).max(SCOPES_MAX)])
      .optional()
      .describe("`repository:<name>:pull,push`, any number of times."),
  }),
  response: {
    200: z
      .object({
        token: z.string(),
        access_token: z.string().describe("The same as `token`."),
        expires_in: z.int().describe("Seconds."),
        issued_at: z.iso.datetime(),
      })
      .meta({ id: "RegistryToken" }),
    ...refusals(401, 404, 422, 429, 503),
  },
};

interface Bearer {
  /** Who it is, for the registry's log. */
  readonly subject: string;
  readonly access: readonly Access[];
}

export function getRegistryToken(app: App, deps: CallerDeps & RegistryDeps & SecretDeps): void {
  app.route({
    method: "GET",
    url: "/v1/registry/token",
    schema,
    // Engines say more, such as `account` and `client_id`.
    config: { takesAnyQuery: true },
    handler: async (request, reply) => {
      const { query } = request;
      const { registry } = deps;
      const bearer = await identify(deps, request, reply, parseScopes([query.scope ?? []].flat()));
      if (registry === null) throw noRegistry();
      refuseOtherService(registry, query.service);
      const { text, issuedAt, expiresInSeconds } = registry.issueToken(bearer.subject, bearer.access);
      return reply.send({
        token: text,
        access_token: text,
        expires_in: expiresInSeconds,
        issued_at: new Date(issuedAt).toISOString(),
      });
    },
  });
}

async function identify(
  deps: CallerDeps & RegistryDeps & SecretDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  requested: readonly Access[],
): Promise<Bearer> {
  const password = basicPassword(request.headers.authorization);
  const own = request.headers["x-api-key"];
  if (password !== undefined && own !== undefined && own !== password) {
    countUnauthenticated(deps, request, { why: "contradictory", keyId: null });
    throw new Problem("key_invalid", TWO_KEYS, { headers: CHALLENGE });
  }
  if (password !== undefined && looksLikePullGrant(password)) {
    return await identifyNode(deps, request, password, requested);
  }
  // Engines send a key in the only way they know; from here on it is checked and counted as everywhere.
  if (password !== undefined) request.headers["x-api-key"] = password;
  try {
    const key = await checkKey(deps, request, reply);
    return { subject: `key/${key.id}`, access: keyAccess(deps.store.view, key, requested) };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    throw new Problem(error.code, error.message, { headers: CHALLENGE });
  }
}

async function identifyNode(
  deps: Pick<CallerDeps, "store" | "clock" | "admission"> & RegistryDeps & SecretDeps,
  request: FastifyRequest,
  given: string,
  requested: readonly Access[],
): Promise<Bearer> {
  const { store, registry, secrets, clock } = deps;
  if (registry === null) throw noRegistry();
  const assignmentId = readPullGrant(secrets, given, clock.now());
  const images = assignmentId === null ? null : await imagesOfAssignment(store, registry, assignmentId);
  if (images === null) {
    countUnauthenticated(deps, request, { why: "pull_grant_invalid", keyId: null });
    throw new Problem("key_invalid", "The right to pull has ended.", { headers: CHALLENGE });
  }
  return { subject: `node/${images.assignment.nodeId}`, access: assignmentAccess(images, requested) };
}

function refuseOtherService({ service }: OwnRegistry, requested: string | undefined): void {
  if (requested === undefined || requested === service) return;
  throw invalidRequest([{ pointer: "service", detail: `tokens are made for ${JSON.stringify(service)} only` }]);
}
