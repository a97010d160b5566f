/** GET /v1/tasks/export: a team's tasks as a file, CSV or JSON, streamed. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { type Caller, mayUseTeam } from "../../auth/authorize.ts";
import { refusals } from "../../public/refusals.ts";
import { taskFilterMembers, taskFilterOf } from "../../public/task-query.ts";
import { taskSchema } from "../../public/task-record.ts";
import { timestamp } from "../../public/timestamp.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { mayStillRead } from "../access/may-still-read.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, notFound } from "../problems/problem.ts";
import { refuseUnknownService } from "./list-tasks.ts";
import { EXPORT_TASKS_MAX, exportText } from "./task-export.ts";
import type { TaskPageDeps, TaskTextDeps } from "./task-list.ts";

const querystring = z.object({
  format: z.enum(["csv", "json"]).default("csv"),
  service_id: z.string().optional(),
  ...taskFilterMembers,
  team_id: z.string().optional().describe("In place of the header x-team: a link in a page carries no header."),
});

const schema = {
  operationId: "exportTasks",
  summary: "Export tasks as a file",
  description:
    `Newest first, at most ${EXPORT_TASKS_MAX}. As JSON, an array of the records that a list has; as CSV, without inputs ` +
    "and results, and with an apostrophe before each text that a spreadsheet would take for a formula.",
  tags: ["tasks"],
  querystring,
  response: {
    200: {
      description: "The file.",
      content: { "text/csv": { schema: z.string() }, "application/json": { schema: z.array(taskSchema) } },
    },
    ...refusals(401, 403, 404, 422, 503),
  },
};

const CONTENT_TYPES = { csv: "text/csv; charset=utf-8; header=present", json: "application/json; charset=utf-8" };

export function exportTasks(app: App, deps: CallerDeps & TaskPageDeps & TaskTextDeps): void {
  app.route({
    method: "GET",
    url: "/v1/tasks/export",
    schema,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { format, team_id: named, ...query } = request.query;
      const key = keyOf(request);
      const teamId = named === undefined ? teamOf(deps, request) : namedTeam(deps, key, named);
      await refuseUnknownService(deps, request, teamId);
      const filter = taskFilterOf(teamId, query);
      const { total } = await deps.history.list(filter, { offset: 0, limit: 0 });
      if (total > EXPORT_TASKS_MAX) throw tooMany(total);
      reply.headers({
        "content-type": CONTENT_TYPES[format],
        "content-disposition": `attachment; filename="tasks-${timestamp(deps.clock.now()).replaceAll(":", "")}.${format}"`,
      });
      const text = exportText(deps, filter, format, () => mayStillRead(deps, key, teamId));
      return (reply as FastifyReply).send(Readable.from(text));
    },
  });
}

function namedTeam({ store }: Pick<RecordDeps, "store">, key: Caller, teamId: string): string {
  if (!mayUseTeam(store.view, key, teamId)) throw notFound("team");
  return teamId;
}

function tooMany(total: number) {
  const detail = `an export has at most ${EXPORT_TASKS_MAX} tasks, and these are ${total}: narrow them by time`;
  return invalidRequest([{ pointer: "created_after", detail }]);
}
