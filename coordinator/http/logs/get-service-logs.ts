/** GET /v1/services/:id/logs: what the provers of a service wrote for its newest tasks, and with `follow` what they write. */
import { Readable } from "node:stream";
import { z } from "zod";
import type { Task } from "../../domain/task.ts";
import { logEventSchema } from "../../public/log-event.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { mayStillRead } from "../access/may-still-read.ts";
import { readVisible } from "../access/read-visible.ts";
import type { HistoryDeps } from "../deps/history-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { TaskFollowers } from "../events/task-followers.ts";
import type { LogDeps } from "./log-followers.ts";
import { serviceLog } from "./service-log.ts";
import { cut, untilGone } from "./until-gone.ts";

const TASKS_MAX = 50;
const TASKS_DEFAULT = 20;
const TAIL_BYTES_MAX = 16 * 1024 * 1024;
const TAIL_BYTES_DEFAULT = 64 * 1024;

const querystring = z.object({
  tasks: z.coerce
    .number()
    .int()
    .min(0)
    .max(TASKS_MAX)
    .default(TASKS_DEFAULT)
    .describe("How many of the newest tasks to begin with."),
  tail_bytes: z.coerce
    .number()
    .int()
    .min(0)
    .max(TAIL_BYTES_MAX)
    .default(TAIL_BYTES_DEFAULT)
    .describe("Of the log of each of these, at most so much of its end."),
  follow: z.enum(["0", "1", "true", "false"]).default("0").describe("Whether to follow what is written from now on."),
});

const schema = {
  operationId: "getServiceLogs",
  summary: "Get the log of a service",
  description:
    "Server-sent events: `begin`, then a `log` for each piece of an attempt's log, in the order of each log, and `skipped` " +
    "where more tasks ran at a time than are followed. A client whose connection broke requests the log again, and skips what it has by " +
    "`task_id`, `attempt` and `offset`. The complete log of an attempt is at `/v1/tasks/{id}/logs`.",
  tags: ["services"],
  params: z.object({ id: z.string() }),
  querystring,
  response: {
    200: {
      description: "Events, whose data this is.",
      content: { "text/event-stream": { schema: logEventSchema } },
    },
    ...refusals(401, 403, 404, 422, 429, 503),
  },
};

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // A proxy that gathers bytes would keep a follower waiting.
  "x-accel-buffering": "no",
};

export function getServiceLogs(app: App, deps: CallerDeps & LogDeps & HistoryDeps): void {
  const followers = new TaskFollowers(deps.store.view.tasks, "service");
  const upSinceMs = deps.clock.monotonicMs();
  app.route({
    method: "GET",
    url: "/v1/services/:id/logs",
    schema,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { query, params } = request;
      const key = keyOf(request);
      const { value: service } = await readVisible(deps.store, key, "services", params.id);
      const tasks = await newestTasks(deps, service, query.tasks);
      const signal = untilGone(deps, request, reply, { key, teamId: service.teamId });
      const wish = {
        service,
        tasks,
        tailBytes: query.tail_bytes,
        follow: query.follow === "1" || query.follow === "true",
        followers,
        upSinceMs,
        mayRead: () => mayStillRead(deps, key, service.teamId) || cut(reply),
        signal,
      };
      return reply.headers(HEADERS).send(Readable.from(serviceLog(deps, wish), { objectMode: false }) as never);
    },
  });
}

/** The oldest of them first. */
async function newestTasks(
  { history, store }: Pick<RecordDeps, "store"> & HistoryDeps,
  { id: serviceId, teamId }: { readonly id: string; readonly teamId: string },
  limit: number,
): Promise<readonly Task[]> {
  const { ids, archived } = await history.list({ teamId, serviceId }, { offset: 0, limit });
  const tasks: Task[] = [];
  for (const id of ids.toReversed()) {
    const task = archived.get(id)?.task ?? store.view.tasks.get(id)?.value ?? (await store.get("tasks", id))?.value;
    if (task !== undefined) tasks.push(task);
  }
  return tasks;
}
