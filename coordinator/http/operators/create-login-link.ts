/** POST /v1/operators/users/:id/login-links: a way in for a user who has no other. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { addLoginLink, LOGIN_LINKS_MAX, loginUrl, openLoginLinks } from "../../accounts/add-login-link.ts";
import { firstTeamOf } from "../../accounts/first-team.ts";
import { audit } from "../../auth/audit.ts";
import { loginLinkSchema } from "../../public/operator-record.ts";
import { refusals } from "../../public/refusals.ts";
import { timestamp } from "../../public/timestamp.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import { readUser } from "./find-user.ts";

const schema = {
  operationId: "createLoginLink",
  summary: "Make a link that logs a browser in as a user, once",
  description: "Not for operators: theirs are made by `elastic-coordinator login-link`.",
  tags: ["operators"],
  params: z.object({ id: z.string() }),
  response: { 201: loginLinkSchema, ...refusals(401, 403, 404, 429, 503) },
};

/** With it an operator's session could log itself in again, and would have the operators' scopes for ever. */
const OF_OPERATOR = "The user runs this service: `elastic-coordinator login-link` makes links for those who do.";

export function createLoginLink(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/operators/users/:id/login-links",
    schema,
    onRequest: requireUnboundKey(deps, "admin"),
    handler: async (request, reply) => reply.code(201).send(await makeLoginLink(deps, request, request.params.id)),
  });
}

/** Throws the refusal where no further link can be made. */
export function requireRoomForLink({ store, clock }: Pick<RecordDeps, "store" | "clock">): void {
  if (openLoginLinks(store.view, clock.now()) < LOGIN_LINKS_MAX) return;
  throw new Problem("overloaded", `${LOGIN_LINKS_MAX} login links are open; try again when some have expired.`);
}

export async function makeLoginLink(
  { store, clock, log, publicUrl }: RecordDeps & Pick<CallerDeps, "publicUrl">,
  request: FastifyRequest,
  userId: string,
): Promise<z.output<typeof loginLinkSchema>> {
  const user = await readUser(store, userId);
  if (user.operator === true) throw new Problem("beyond_key", OF_OPERATOR);
  requireRoomForLink({ store, clock });
  if (firstTeamOf(store.view, userId) === null) throw new Problem("no_team", `${user.name} is in no team.`);
  const { record, token } = await addLoginLink(store, user, clock);
  const facts = { requestId: request.id, linkId: record.id, userId, byKeyId: keyOf(request).id };
  audit(log, "login_link_created", facts);
  return { login_url: loginUrl(publicUrl(), token), expires: timestamp(record.expiresAt) };
}
