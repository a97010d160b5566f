/** GET /v1/tasks: a team's tasks, newest first; GET /v1/services/:id/tasks: those of one service. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { serviceTasksQuerySchema, type TasksQuery, tasksQuerySchema } from "../../public/task-query.ts";
import { taskSchema } from "../../public/task-record.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";
import { findService } from "../services/find-service.ts";
import { type TaskPageDeps, type TaskTextDeps, taskListText } from "./task-list.ts";

const response = {
  200: pageSchema(taskSchema).extend({ next_cursor: z.string().nullable() }),
  ...refusals(401, 403, 404, 422, 503),
};

const description = "`input` and `result` stand in the items up to 4 KiB, and are null above.";

const listSchema = {
  operationId: "listTasks",
  summary: "List tasks",
  description,
  tags: ["tasks"],
  querystring: tasksQuerySchema,
  response,
};

const serviceListSchema = {
  operationId: "listServiceTasks",
  summary: "List the tasks of a service",
  description,
  tags: ["tasks"],
  params: z.object({ id: z.string().describe("The service.") }),
  querystring: serviceTasksQuerySchema,
  response,
};

const asText = { serializerCompiler: () => (text: unknown) => String(text) };

export function listTasks(app: App, deps: CallerDeps & TaskTextDeps & TaskPageDeps): void {
  app.route({
    method: "GET",
    url: "/v1/tasks",
    schema: listSchema,
    ...asText,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      await refuseUnknownService(deps, request, teamId);
      return send(reply, await taskListText(deps, teamId, request.query));
    },
  });
  app.route({
    method: "GET",
    url: "/v1/services/:id/tasks",
    schema: serviceListSchema,
    ...asText,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { id, teamId } = (await findService(deps.store, keyOf(request), request.params.id)).value;
      return send(reply, await taskListText(deps, teamId, { ...request.query, service_id: id }));
    },
  });
}

/** Of a service that is unknown, or another team's, there is no list, as under the service's own path. */
export async function refuseUnknownService(
  { store }: Pick<RecordDeps, "store">,
  request: FastifyRequest,
  teamId: string,
): Promise<void> {
  const { service_id: id } = request.query as Pick<TasksQuery, "service_id">;
  if (id === undefined) return;
  const service = await findService(store, keyOf(request), id);
  if (service.value.teamId !== teamId) throw notFound("service");
}

function send(reply: Pick<FastifyReply, "type">, text: string): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(text);
}
