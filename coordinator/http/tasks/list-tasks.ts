/** GET /v1/tasks: a team's tasks, newest first. */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { SMALL_BYTES_MAX } from "../../domain/limits.ts";
import type { Task } from "../../domain/task.ts";
import type { TaskFilter } from "../../store/store.ts";
import type { App } from "../app.ts";
import { requireKey, teamOf } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { offsetOf, type PageQuery, pageOf, pageQuerySchema, pageSchema } from "../wire/page.ts";
import { refusals } from "../wire/refusals.ts";
import { publicStates, taskSchema, taskText } from "../wire/task-record.ts";
import { smallBytes } from "./task-bytes.ts";
import { resultUrl } from "./task-link.ts";

const querystring = pageQuerySchema.extend({
  service_id: z.string().optional(),
  state: z.enum(publicStates).optional(),
  cursor: z.string().refine(isId).optional().describe("`next_cursor` of the page before; takes the place of `page`."),
});

const schema = {
  operationId: "listTasks",
  summary: "List tasks",
  description: "`input` and `result` stand in the items up to 4 KiB, and are null above.",
  tags: ["tasks"],
  querystring,
  response: {
    200: pageSchema(taskSchema).extend({ next_cursor: z.string().nullable() }),
    ...refusals(401, 403, 404, 422, 503),
  },
};

export function listTasks(app: App, deps: HttpDeps): void {
  app.route({
    method: "GET",
    url: "/v1/tasks",
    schema,
    serializerCompiler: () => (text: unknown) => String(text),
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { query } = request;
      const { ids, total } = deps.store.view.tasks.list(filterOf(teamOf(deps, request), query), {
        offset: query.cursor === undefined ? offsetOf(query) : 0,
        limit: query.size,
        ...(query.cursor === undefined ? {} : { olderThan: query.cursor }),
      });
      const items = await Promise.all(ids.map((id) => itemText(deps, id)));
      const text = listText(items, total, query, ids.length < query.size ? null : (ids.at(-1) ?? null));
      return reply.type("application/json; charset=utf-8").send(text as never);
    },
  });
}

function filterOf(teamId: string, query: z.output<typeof querystring>): TaskFilter {
  return {
    teamId,
    ...(query.service_id === undefined ? {} : { serviceId: query.service_id }),
    ...(query.state === undefined ? {} : { state: query.state }),
  };
}

function listText(items: readonly string[], total: number, query: PageQuery, nextCursor: string | null): string {
  const { items: _, ...page } = pageOf([], total, query);
  const present = items.filter((item) => item !== "");
  return `{"items":[${present.join(",")}],${JSON.stringify({ ...page, next_cursor: nextCursor }).slice(1)}`;
}

/** Empty for a task that was removed since the list was made. */
async function itemText(deps: HttpDeps, id: string): Promise<string> {
  const task = (deps.store.view.tasks.get(id) ?? (await deps.store.get("tasks", id)))?.value;
  if (task === undefined) return "";
  const [input, result] = await Promise.all([inputText(deps, task), resultText(deps, task)]);
  const url = task.phase.kind === "succeeded" ? resultUrl(deps.secrets, deps.publicUrl(), id, deps.clock.now()) : null;
  const isOmitted = task.phase.kind === "succeeded" && result === "null";
  const text = taskText(task, url, isOmitted);
  return text.beforeInput + input + text.beforeResult + result + text.end;
}

async function inputText(deps: HttpDeps, task: Task): Promise<string> {
  if (task.input.bytes > SMALL_BYTES_MAX) return "null";
  return JSON.stringify((await smallBytes(deps, "input", task)).toString());
}

async function resultText(deps: HttpDeps, task: Task): Promise<string> {
  if (task.phase.kind !== "succeeded" || task.phase.result.bytes > SMALL_BYTES_MAX) return "null";
  return JSON.stringify((await smallBytes(deps, "result", task)).toString());
}
