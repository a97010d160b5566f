/**
 * GET /v1/services/:id/deployments/:deploymentId/events: the stages of a roll-out until it ends. An event's id is its
 * place in the roll-out's record, so a client whose connection broke resumes at any coordinator and misses nothing. The
 * progress of pulling an image is sent in between, without an id, and not repeated.
 */
import { z } from "zod";
import { hasEnded, type RollOut } from "../../domain/roll-out.ts";
import {
  deploymentEventSchema,
  deploymentProgressSchema,
  progressEvent,
  stageEvents,
} from "../../public/deployment-event.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { mayStillRead } from "../access/may-still-read.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { StartDeps } from "../deps/start-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { notFound } from "../problems/problem.ts";
import type { EventStream } from "../sse/event-stream.ts";
import type { StreamDeps } from "../sse/event-streams.ts";
import { firstEventOf, lastEventIdQuery, unknownEvent } from "../sse/last-event-id.ts";
import { readDeployment } from "./find-deployment.ts";

const schema = {
  operationId: "followDeployment",
  summary: "Follow a roll-out",
  description:
    "Server-sent events, from the request to deployment.ready, deployment.failed or deployment.cancelled, each with a " +
    "DeploymentEvent as data; deployment.progress in between has no id. To resume after a broken connection, send the id " +
    "of the last event as Last-Event-ID.",
  tags: ["deployments"],
  params: z.object({ id: z.string(), deploymentId: z.string() }),
  querystring: lastEventIdQuery,
  response: {
    200: {
      description: "Events, whose data this is. Ends after the roll-out's last.",
      content: { "text/event-stream": { schema: z.union([deploymentEventSchema, deploymentProgressSchema]) } },
    },
    204: z.null().describe("The roll-out has ended, and the event named is its last."),
    ...refusals(401, 403, 404, 422, 429, 503),
  },
};

export function deploymentEvents(app: App, deps: CallerDeps & StreamDeps & StartDeps): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id/deployments/:deploymentId/events",
    schema,
    ...withoutSchemaCompilation,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const first = firstEventOf(request);
      const { id, deploymentId } = request.params as { readonly id: string; readonly deploymentId: string };
      const key = keyOf(request);
      const { value: service } = await readVisible(deps.store, key, "services", id);
      const deployment = await readDeployment(deps.store, service, deploymentId);
      const rollOut = await deps.store.get("roll-outs", deployment.id);
      if (rollOut === null) throw notFound("deployment");
      if (first > rollOut.value.events.length) throw unknownEvent();
      if (hasEnded(rollOut.value) && first === rollOut.value.events.length) return reply.code(204).send(null);
      const stream = deps.streams.open({ key, teamId: service.teamId }, () => mayStillRead(deps, key, service.teamId));
      sendEvents(deps, stream, rollOut.value, first);
      return reply.type("text/event-stream; charset=utf-8").send(stream.body as never);
    },
  });
}

/** `rollOut` as it was read; `first` is the id of the first event to send. */
function sendEvents(
  { store, starts, clock }: Pick<RecordDeps, "store" | "clock"> & StartDeps,
  stream: EventStream,
  rollOut: RollOut,
  first: number,
): void {
  let next = first;
  const show = (now: RollOut) => {
    for (const event of stageEvents(now, next)) stream.send(event);
    next = Math.max(next, now.events.length);
    if (hasEnded(now)) stream.end();
  };
  const leaves = [
    store.view.rollOuts.subscribe(({ id, after }) => {
      if (id === rollOut.id && after !== undefined) show(after.value);
    }),
    starts.subscribe(rollOut.id, (progress) => {
      // A client that is behind receives the stages first, and progress once it has caught up.
      if (stream.isCaughtUp) stream.send(progressEvent(rollOut, progress, clock.now()));
    }),
  ];
  stream.body.once("close", () => {
    for (const leave of leaves) leave();
  });
  show(rollOut);
  const look = () => {
    const seen = store.view.rollOuts.get(rollOut.id)?.value;
    if (seen !== undefined) show(seen);
  };
  // The view may have gone on between the reading of the record and now.
  look();
  stream.onBeat(look);
}
