/** GET /v1/tasks/:id/logs: what the prover wrote during one attempt, and with `follow` what it writes. */

import { Readable } from "node:stream";
import { counted } from "@elastic/std/counted.ts";
import { z } from "zod";
import type { Task } from "../../domain/task.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { mayStillRead } from "../access/may-still-read.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { TaskFollowers } from "../events/task-followers.ts";
import { followLog, mayEnd, readLog } from "../logs/follow-log.ts";
import type { LogDeps } from "../logs/log-followers.ts";
import { LOG_HEADERS } from "../logs/log-headers.ts";
import { cut, untilGone } from "../logs/until-gone.ts";
import { Problem } from "../problems/problem.ts";
import { findTask } from "./find-task.ts";

/** Beyond the largest log that can be set. */
const OFFSET_MAX = 2 ** 31;
const ATTEMPT_MAX = 100_000;

const querystring = z.object({
  attempt: z.coerce.number().int().min(1).max(ATTEMPT_MAX).optional().describe("The newest if left out."),
  offset: z.coerce.number().int().min(0).max(OFFSET_MAX).default(0).describe("Bytes of the log to pass over."),
  follow: z
    .enum(["0", "1", "true", "false"])
    .default("0")
    .describe("Whether to follow the log until the attempt is over. Then `attempt` may also be the next one."),
  format: z.enum(["text"]).default("text"),
});

const schema = {
  operationId: "getLogs",
  summary: "Get the log of an attempt",
  description:
    "What the prover wrote to standard output and error. `x-log-attempt` and `x-log-offset` say where the bytes begin: a " +
    "client whose connection broke resumes with that attempt at the offset that it has reached. With `follow` the response " +
    "ends when the attempt is over and the rest of its log was sent; each attempt has its own log.",
  tags: ["tasks"],
  params: z.object({ id: z.string() }),
  querystring,
  response: {
    200: {
      description: "The log's bytes.",
      content: { "text/plain": { schema: z.string() } },
    },
    ...refusals(401, 403, 404, 422, 429, 503),
  },
};

export function getLogs(app: App, deps: CallerDeps & LogDeps): void {
  const followers = new TaskFollowers(deps.store.view.tasks);
  const upSinceMs = deps.clock.monotonicMs();
  app.route({
    method: "GET",
    url: "/v1/tasks/:id/logs",
    schema,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { query, params } = request;
      const key = keyOf(request);
      const { value: task } = await findTask(deps.store, key, params.id);
      const follow = query.follow === "1" || query.follow === "true";
      const attempt = attemptOf(task, query.attempt, follow);
      const ref = { teamId: task.teamId, taskId: task.id, attempt };
      reply.headers({ ...LOG_HEADERS, "x-log-attempt": String(attempt), "x-log-offset": String(query.offset) });
      if (!follow) return reply.send(Readable.from(readLog(deps, ref, query.offset)) as never);
      const signal = untilGone(deps, request, reply, { key, teamId: task.teamId });
      const mayRead = () => mayStillRead(deps, key, task.teamId) || cut(reply);
      const following = {
        ref,
        from: query.offset,
        listen: (onEnd: () => void) => followers.follow(ref.taskId, onEnd),
        isOver: () => mayEnd(deps, { task, ref, upSinceMs }),
        mayRead,
        signal,
      };
      return reply.send(Readable.from(followLog(deps, following)) as never);
    },
  });
}

/** The newest, or the first that is to come, unless one is named. */
function attemptOf({ attempts: { started } }: Task, named: number | undefined, follow: boolean): number {
  const attempt = named ?? Math.max(1, started);
  if (attempt <= Math.max(1, follow ? started + 1 : started)) return attempt;
  throw new Problem(
    "not_found",
    `The task has had ${counted(started, "attempt")} so far; there is no attempt ${attempt}.`,
  );
}
