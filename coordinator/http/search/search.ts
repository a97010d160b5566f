/**
 * GET /v1/search: a team's services, tasks, shells and volumes and the caller's keys, by a part of the name or the start
 * of the id. Tasks are found by the start of their id, and those of the service that matches best.
 */
import { z } from "zod";
import { hasScope } from "../../auth/authorize.ts";
import { idPrefixOf } from "../../domain/search-match.ts";
import { refusals } from "../../public/refusals.ts";
import { type Found, foundSchema } from "../../public/search-record.ts";
import { timestamp } from "../../public/timestamp.ts";
import type { TaskFilter } from "../../store/store.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type TaskPageDeps, tasksOf } from "../tasks/task-list.ts";
import { FOUND_PER_KIND_MAX, findInView } from "./find-in-view.ts";

const QUERY_LENGTH_MAX = 100;

const schema = {
  operationId: "search",
  summary: "Search a team",
  description:
    `By a part of the name, or at least 8 characters of the start of an id; at most ${FOUND_PER_KIND_MAX} of a kind, of ` +
    "those kinds that the key's scopes let it see.",
  tags: ["teams"],
  querystring: z.object({ q: z.string().trim().min(1).max(QUERY_LENGTH_MAX).describe("What is searched for.") }),
  response: { 200: z.object({ items: z.array(foundSchema) }), ...refusals(401, 404, 422, 429, 503) },
};

export function search(app: App, deps: CallerDeps & TaskPageDeps): void {
  app.route({
    method: "GET",
    url: "/v1/search",
    schema,
    onRequest: requireKey(deps),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const teamId = teamOf(deps, request);
      const { q: query } = request.query;
      const found = findInView(deps.store.view, { query, teamId, key, now: deps.clock.now() });
      const tasks = hasScope(key, "tasks:read") ? await findTasks(deps, filterOf(query, teamId, found)) : [];
      return reply.send({ items: [...found, ...tasks] });
    },
  });
}

/** Null where no task can match. */
function filterOf(query: string, teamId: string, found: readonly Found[]): TaskFilter | null {
  const idPrefix = idPrefixOf(query);
  if (idPrefix !== null) return { teamId, idPrefix };
  const service = found.find(({ kind }) => kind === "service");
  return service === undefined ? null : { teamId, serviceId: service.id };
}

async function findTasks(deps: TaskPageDeps, filter: TaskFilter | null): Promise<readonly Found[]> {
  if (filter === null) return [];
  const page = await deps.history.list(filter, { offset: 0, limit: FOUND_PER_KIND_MAX });
  const tasks = await tasksOf(deps, page);
  return tasks.map(({ task: { id, serviceName, phase, createdAt } }) => ({
    kind: "task",
    id,
    name: serviceName,
    state: phase.kind,
    created: timestamp(createdAt),
  }));
}
