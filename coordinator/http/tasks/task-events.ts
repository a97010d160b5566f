/**
 * GET /v1/tasks/:id/events: the timeline of the task, past and future events, until it has ended. An event's id is its
 * place in the timeline, so a client whose connection broke resumes at any coordinator and misses nothing.
 */
import { z } from "zod";
import { isTerminal, type Task } from "../../domain/task.ts";
import { refusals } from "../../public/refusals.ts";
import { serverEvents, taskEventSchema, taskProgressEventSchema } from "../../public/task-event.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { mayStillRead } from "../access/may-still-read.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { TaskFollowers } from "../events/task-followers.ts";
import type { EventStream } from "../sse/event-stream.ts";
import type { StreamDeps } from "../sse/event-streams.ts";
import { firstEventOf, lastEventIdQuery, unknownEvent } from "../sse/last-event-id.ts";
import { findTask } from "./find-task.ts";
import { sendProgress } from "./progress-events.ts";
import type { TaskTextDeps } from "./task-list.ts";

const schema = {
  operationId: "followTask",
  summary: "Follow a task",
  description:
    "Server-sent events, from the creation of the task to its end, each with a TaskEvent as data. To resume after a broken " +
    "connection, send the id of the last event as Last-Event-ID. In between come task.progress events, without an id.",
  tags: ["tasks"],
  params: z.object({ id: z.string() }),
  querystring: lastEventIdQuery,
  response: {
    200: {
      description: "Events, whose data this is. Ends after the task's last.",
      content: { "text/event-stream": { schema: z.union([taskEventSchema, taskProgressEventSchema]) } },
    },
    204: z.null().describe("The task has ended, and the event named is its last: there is nothing to come back for."),
    ...refusals(401, 403, 404, 422, 429, 503),
  },
};

export function taskEvents(app: App, deps: CallerDeps & StreamDeps & Pick<TaskTextDeps, "progress">): void {
  const followers = new TaskFollowers(deps.store.view.tasks);
  app.route({
    method: "GET",
    url: "/v1/tasks/:id/events",
    schema,
    ...withoutSchemaCompilation,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const first = firstEventOf(request);
      const { id } = request.params as { readonly id: string };
      const key = keyOf(request);
      const { value: task } = await findTask(deps.store, key, id);
      if (first > task.timeline.length) throw unknownEvent();
      if (isTerminal(task.phase) && first === task.timeline.length) return reply.code(204).send(null);
      const holder = { key, teamId: task.teamId };
      const stream = deps.streams.open(holder, () => mayStillRead(deps, key, task.teamId));
      sendEvents(deps, followers, stream, { task, first });
      return reply.type("text/event-stream; charset=utf-8").send(stream.body as never);
    },
  });
}

interface From {
  /** As it was read. */
  readonly task: Task;
  /** Id of the first event to send. */
  readonly first: number;
}

function sendEvents(
  deps: Pick<RecordDeps, "store"> & Pick<TaskTextDeps, "progress">,
  followers: TaskFollowers,
  stream: EventStream,
  { task, first }: From,
): void {
  let current = task;
  let next = first;
  const show = (now: Task | undefined) => {
    if (now === undefined) {
      // Removed: where it is now, a new call finds out.
      stream.end();
      return;
    }
    for (const event of serverEvents(now, next)) stream.send(event);
    if (now.timeline.length >= next) current = now;
    next = Math.max(next, now.timeline.length);
    if (isTerminal(now.phase)) stream.end();
  };
  const leave = followers.follow(task.id, show);
  stream.body.once("close", leave);
  show(task);
  const look = () => {
    const seen = deps.store.view.tasks.get(task.id)?.value;
    if (seen !== undefined) show(seen);
  };
  // The view may have gone on between the reading of the record and now.
  look();
  stream.onBeat(look);
  sendProgress(deps.progress, stream, () => current);
}
