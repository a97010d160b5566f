/** GET /v1/tasks/:id/result: the result's bytes, for a key or for a signed link. */
import type { Instant } from "@elastic/std/clock.ts";
import { isId } from "@elastic/std/ids.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { expiresAt, isExpired } from "../../domain/retention.ts";
import type { Task } from "../../domain/task.ts";
import { refusals } from "../../public/refusals.ts";
import { checkResultLink } from "../../public/task-link.ts";
import { timestampOrNull } from "../../public/timestamp.ts";
import { type CallerDeps, checkKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { notFound, Problem } from "../problems/problem.ts";
import { findTask } from "./find-task.ts";
import { openLarge, smallBytes, type TaskBytesDeps } from "./task-bytes.ts";

const schema = {
  operationId: "getResult",
  summary: "Get the bytes of a result",
  description: "Needs a key, or `expires` and `signature` as in a task's `result_url`.",
  tags: ["tasks"],
  security: [{ accessKey: [] }, {}],
  params: z.object({ id: z.string() }),
  querystring: z.object({ expires: z.string().optional(), signature: z.string().optional() }),
  response: {
    200: { description: "The result's text.", content: { "text/plain": { schema: z.string() } } },
    ...refusals(401, 403, 404, 409, 410, 429, 502, 503),
  },
};

/** A prover's result is untrusted: it is never shown as a page of this origin. */
const HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "content-security-policy": "default-src 'none'; sandbox",
};

export function getResult(app: App, deps: CallerDeps & TaskBytesDeps & SecretDeps): void {
  app.route({
    method: "GET",
    url: "/v1/tasks/:id/result",
    schema,
    // A link is handed on, and what it passes through may add to it.
    config: { takesAnyQuery: true },
    ...withoutSchemaCompilation,
    handler: async (request, reply) => {
      const task = await permittedTask(deps, request, reply);
      const { phase } = task;
      if (phase.kind === "queued" || phase.kind === "running") {
        throw new Problem("task_pending", "The task has not ended yet.");
      }
      if (phase.kind !== "succeeded") throw new Problem("task_without_result", "The task ended without a result.");
      refuseExpired(task, deps.clock.now());
      const { where, bytes, sha256 } = phase.result;
      const body =
        where === "store" ? await smallBytes(deps, "result", task) : await openLarge(deps, task, phase.result);
      reply.headers({
        ...HEADERS,
        "content-length": String(bytes),
        "content-disposition": `attachment; filename="${task.id}.txt"`,
        etag: `"${sha256}"`,
      });
      return (reply as FastifyReply).send(body);
    },
  });
}

function refuseExpired(task: Task, now: Instant): void {
  if (!isExpired(task, now)) return;
  const until = timestampOrNull(expiresAt(task));
  throw new Problem(
    "result_expired",
    `The result was retained until ${until}. Send the task again, or let its service retain results longer.`,
  );
}

async function permittedTask(
  deps: CallerDeps & SecretDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Task> {
  const { id } = request.params as { readonly id: string };
  const { expires, signature } = request.query as { readonly expires?: unknown; readonly signature?: unknown };
  if (typeof expires === "string" && typeof signature === "string") {
    return await linkedTask(deps, id, { expires, signature });
  }
  const key = await checkKey(deps, request, reply, "tasks:read");
  request.accessKey = key;
  return (await findTask(deps.store, key, id)).value;
}

async function linkedTask(
  deps: Pick<RecordDeps, "store" | "clock"> & SecretDeps,
  id: string,
  link: { readonly expires: string; readonly signature: string },
) {
  const check = checkResultLink(deps.secrets, id, link, deps.clock.now());
  if (check === "invalid") throw new Problem("link_invalid", "The link's signature does not hold.");
  if (check === "expired") throw new Problem("link_expired", "The link has expired; the task's record has a new one.");
  const task = isId(id) ? await deps.store.get("tasks", id) : null;
  if (task === null) throw notFound("task");
  return task.value;
}
