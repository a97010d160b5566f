/** GET /v1/builds/:id/log: what a run of the build wrote, and with `follow` what it writes. */
import { Readable } from "node:stream";
import type { Clock } from "@elastic/std/clock.ts";
import { z } from "zod";
import { type Build, isOpen } from "../../domain/build.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { mayStillRead } from "../access/may-still-read.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { followLog, readLog } from "../logs/follow-log.ts";
import { REST_WITHIN_MS } from "../logs/log-end.ts";
import type { LogDeps } from "../logs/log-followers.ts";
import { LOG_HEADERS } from "../logs/log-headers.ts";
import { cut, untilGone } from "../logs/until-gone.ts";

const OFFSET_MAX = 2 ** 31;

const querystring = z.object({
  offset: z.coerce.number().int().min(0).max(OFFSET_MAX).default(0).describe("Bytes of the log to pass over."),
  follow: z
    .enum(["0", "1", "true", "false"])
    .default("0")
    .describe("Whether to follow the log until the build has ended."),
});

const schema = {
  operationId: "getBuildLog",
  summary: "Get the log of a build",
  description:
    "What the steps of the newest run wrote, as BuildKit's plain progress. `x-log-run` says which run it is, and " +
    "`x-log-offset` where the bytes begin: a client whose connection broke resumes at the offset that it has reached.",
  tags: ["builds"],
  params: z.object({ id: z.string() }),
  querystring,
  response: {
    200: { description: "The log's bytes.", content: { "text/plain": { schema: z.string() } } },
    ...refusals(401, 403, 404, 422, 429, 503),
  },
};

export function getBuildLog(app: App, deps: CallerDeps & LogDeps): void {
  app.route({
    method: "GET",
    url: "/v1/builds/:id/log",
    schema,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const { query, params } = request;
      const key = keyOf(request);
      const { value: build } = await readVisible(deps.store, key, "builds", params.id);
      const run = Math.max(1, build.runs);
      const ref = { teamId: build.teamId, taskId: build.id, attempt: run };
      reply.headers({ ...LOG_HEADERS, "x-log-run": String(run), "x-log-offset": String(query.offset) });
      const isFollowed = query.follow === "1" || query.follow === "true";
      if (!isFollowed) return reply.send(Readable.from(readLog(deps, ref, query.offset)) as never);
      const { builds } = deps.store.view;
      const following = {
        ref,
        from: query.offset,
        listen: (onEnd: () => void) => builds.subscribe(({ id }) => id === build.id && onEnd()),
        isOver: async () => isLogOver(builds.get(build.id)?.value, run, await deps.logs.state(ref), deps.clock),
        mayRead: () => mayStillRead(deps, key, build.teamId) || cut(reply),
        signal: untilGone(deps, request, reply, { key, teamId: build.teamId }),
      };
      return reply.send(Readable.from(followLog(deps, following)) as never);
    },
  });
}

/** Of a build that has ended, or has a later run, the rest comes within moments. */
function isLogOver(
  build: Build | undefined,
  run: number,
  state: { readonly complete: boolean } | null,
  clock: Pick<Clock, "now">,
): boolean {
  if (build === undefined || build.runs > run) return true;
  if (isOpen(build)) return false;
  if (build.reusedFrom !== null || build.runs === 0 || state?.complete === true) return true;
  return clock.now() - build.state.since > REST_WITHIN_MS;
}
