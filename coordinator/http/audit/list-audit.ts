/** GET /v1/teams/:id/audit and /v1/audit: who changed what, newest first; of a team, and of what is of no team. */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import type { AuditLog } from "../../archive/audit-log.ts";
import { type AuditFilter, OF_NO_TEAM } from "../../domain/audit-entry.ts";
import { auditEntrySchema, auditRecord } from "../../public/audit-record.ts";
import { PAGE_SIZE_MAX } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { instantOf, timeQuerySchema } from "../../public/timestamp.ts";
import { type CallerDeps, keyOf, requireKey, requireUnboundKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";

const ACTION_LENGTH_MAX = 100;

const querySchema = z.object({
  action: z.string().max(ACTION_LENGTH_MAX).optional().describe("Such as `createService`."),
  user_id: z.string().optional().describe("Who did it."),
  object_id: z.string().optional().describe("What it was done to."),
  from: timeQuerySchema.optional().describe("At or after."),
  to: timeQuerySchema.optional().describe("Before."),
  cursor: z.string().refine(isId, "is not a cursor").optional().describe("`next_cursor` of the page before."),
  size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(50),
});

type AuditQuery = z.output<typeof querySchema>;

const pageSchema = z.object({
  items: z.array(auditEntrySchema),
  next_cursor: z.string().nullable().describe("Of the next page; null on the last."),
});

const DESCRIPTION =
  "Every change by a request or an operator's command, from the moment of its commit; not the creation of tasks and " +
  "uploads, whose own records state who made them. An operator sets how long entries are retained.";

const teamSchema = {
  operationId: "listAudit",
  summary: "List the audit log of a team",
  description: DESCRIPTION,
  tags: ["teams"],
  params: z.object({ id: z.string().describe("The team.") }),
  querystring: querySchema,
  response: { 200: pageSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

const operatorSchema = {
  operationId: "listOperatorAudit",
  summary: "List the audit log of machines",
  description: `What is of no team: machines, their tokens, and the fleet. ${DESCRIPTION}`,
  tags: ["nodes"],
  querystring: querySchema,
  response: { 200: pageSchema, ...refusals(401, 403, 422, 429, 503) },
};

export interface AuditLogDeps {
  readonly auditLog: AuditLog;
}

export function listAudit(app: App, deps: CallerDeps & AuditLogDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id/audit",
    schema: teamSchema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) => {
      const { id: teamId } = request.params;
      await readOwnMembership(deps.store, keyOf(request), teamId);
      return reply.send(await pageOf(deps, teamId, request.query));
    },
  });
  app.route({
    method: "GET",
    url: "/v1/audit",
    schema: operatorSchema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => reply.send(await pageOf(deps, OF_NO_TEAM, request.query)),
  });
}

async function pageOf(
  { auditLog, store }: Pick<RecordDeps, "store"> & AuditLogDeps,
  teamId: string,
  query: AuditQuery,
) {
  const { size: limit, cursor } = query;
  const page = { limit, ...(cursor === undefined ? {} : { olderThan: cursor }) };
  const { entries, hasMore } = await auditLog.list(filterOf(teamId, query), page);
  return {
    items: entries.map((entry) => auditRecord(store.view, entry)),
    next_cursor: hasMore ? (entries.at(-1)?.id ?? null) : null,
  };
}

function filterOf(teamId: string, { action, user_id, object_id, from, to }: AuditQuery): AuditFilter {
  return {
    teamId,
    ...(action === undefined ? {} : { action }),
    ...(user_id === undefined ? {} : { userId: user_id }),
    ...(object_id === undefined ? {} : { objectId: object_id }),
    ...(from === undefined ? {} : { from: instantOf(from) }),
    ...(to === undefined ? {} : { before: instantOf(to) }),
  };
}
