/** GET /v1/events: that something changed in a team, as it happens. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { mayUseTeam } from "../../auth/authorize.ts";
import { idSchema } from "../../public/id-schema.ts";
import { refusals } from "../../public/refusals.ts";
import { teamChangesSchema, teamResetSchema } from "../../public/team-event.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { mayStillRead } from "../access/may-still-read.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { notFound } from "../problems/problem.ts";
import type { StreamDeps } from "../sse/event-streams.ts";
import { lastEventIdOf, unknownEvent } from "../sse/last-event-id.ts";
import { type Position, TeamStreams } from "./team-streams.ts";

/** Epoch and revision of the store. */
const EVENT_ID = /^(\d{1,9})-(\d{1,15})$/;

const schema = {
  operationId: "followTeam",
  summary: "Follow a team",
  description:
    "Server-sent events. `changes` names records of the team that changed, each at most once a second, and how they stand; " +
    "one without changes comes now and then and shows that the connection is alive. `reset` is the first event of a client " +
    "that names no event, or one that is too old: read what you show. To continue after a cut, at any coordinator, send the " +
    "id of the last event as Last-Event-ID.",
  tags: ["teams"],
  querystring: z.object({
    team_id: idSchema.optional().describe("As the header X-Team, which browsers cannot send with an event stream."),
    last_event_id: z.string().regex(EVENT_ID).optional().describe("As the header Last-Event-ID, which goes before it."),
  }),
  response: {
    200: {
      description: "Events, whose data this is.",
      content: { "text/event-stream": { schema: z.union([teamChangesSchema, teamResetSchema]) } },
    },
    ...refusals(401, 403, 404, 422, 429, 503),
  },
};

export function teamEvents(app: App, deps: CallerDeps & StreamDeps): void {
  const streams = new TeamStreams(deps);
  app.addHook("preClose", async () => streams.stop());
  app.route({
    method: "GET",
    url: "/v1/events",
    schema,
    ...withoutSchemaCompilation,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const after = positionOf(lastEventIdOf(request));
      const teamId = followedTeam(deps, request);
      const key = keyOf(request);
      const holder = { key, teamId };
      const stream = deps.streams.open(holder, () => mayStillRead(deps, key, teamId));
      streams.follow(teamId, stream, after);
      // A proxy that gathers bytes would keep a follower waiting.
      reply.header("x-accel-buffering", "no");
      return reply.type("text/event-stream; charset=utf-8").send(stream.body as never);
    },
  });
}

function followedTeam(deps: Pick<RecordDeps, "store">, request: FastifyRequest): string {
  const { team_id: named } = request.query as { readonly team_id?: unknown };
  if (named === undefined) return teamOf(deps, request);
  if (typeof named !== "string" || !mayUseTeam(deps.store.view, keyOf(request), named)) throw notFound("team");
  return named;
}

function positionOf(named: unknown): Position | null {
  if (named === undefined) return null;
  const [, epoch, revision] = (typeof named === "string" && EVENT_ID.exec(named)) || [];
  if (epoch === undefined || revision === undefined) throw unknownEvent();
  return { epoch: Number(epoch), revision: Number(revision) };
}
