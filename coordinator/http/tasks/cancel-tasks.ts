/**
 * POST /v1/tasks/cancel: many at once, named, or all that are open of a service or of a filter. At most a thousand a
 * request; how many remain is in the response, and a repeated request continues. Repetitions change nothing and count the same.
 */
import { isId } from "@elastic/std/ids.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Service } from "../../domain/service.ts";
import { OPEN_PHASES } from "../../domain/task.ts";
import { refusals } from "../../public/refusals.ts";
import { taskFilterMembers, taskFilterOf } from "../../public/task-query.ts";
import type { TaskFilter } from "../../store/store.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound, Problem } from "../problems/problem.ts";
import { findService } from "../services/find-service.ts";
import { type CancelDeps, cancelOne } from "./cancel-one.ts";
import { findTask, seenTask } from "./find-task.ts";

const TASKS_MAX = 1_000;
/** Commits under way at once for one request: so few that others share no transaction with them, and wait for none (group-commit.ts). */
const AT_ONCE = 8;

const { created_after, created_before, id_prefix } = taskFilterMembers;

const filterSchema = z.strictObject({
  service_id: z.string().optional(),
  phase: z.enum(OPEN_PHASES).optional(),
  created_after,
  created_before,
  id_prefix,
});

const isGiven = (member: unknown): boolean => member !== undefined;

const body = z
  .strictObject({
    task_ids: z.array(z.string().refine(isId, "32 lower-case hexadecimal characters")).max(TASKS_MAX).optional(),
    service_id: z.string().optional().describe("All open tasks of this service."),
    phase: z.enum(OPEN_PHASES).optional().describe("Of these, only those in this phase."),
    filter: filterSchema.optional().describe("All open tasks of the team that a list with these filters has."),
  })
  .refine(({ task_ids, service_id, filter }) => [task_ids, service_id, filter].filter(isGiven).length === 1, {
    message: "name either task_ids, a service_id or a filter",
  })
  .refine(({ phase, service_id }) => phase === undefined || service_id !== undefined, {
    message: "phase goes with service_id",
    path: ["phase"],
  });

const schema = {
  operationId: "cancelTasks",
  summary: "Cancel many tasks",
  tags: ["tasks"],
  body,
  response: {
    200: z
      .object({
        cancelled: z.int().describe("Tasks that now stand as cancelled."),
        ended: z.int().describe("Tasks that had ended otherwise before."),
        not_found: z.int(),
        remaining: z
          .int()
          .describe("Open tasks of the service or filter that are left: repeat the request until it is 0."),
      })
      .meta({ id: "CancelledTasks" }),
    ...refusals(400, 401, 403, 404, 413, 415, 422, 503),
  },
};

export function cancelTasks(app: App, deps: CallerDeps & CancelDeps): void {
  app.route({
    method: "POST",
    url: "/v1/tasks/cancel",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "tasks:write"),
    preValidation: parseSmallJson,
    handler: async (request) => {
      const key = keyOf(request);
      const { task_ids: taskIds } = request.body;
      if (taskIds !== undefined) {
        return { ...(await cancelEach(deps, key, new Set(taskIds), request.id)), remaining: 0 };
      }
      const filter = await openTasksOf(deps, request, request.body);
      const { ids } = deps.store.view.tasks.list(filter, { offset: 0, limit: TASKS_MAX });
      const counts = await cancelEach(deps, key, new Set(ids), request.id);
      const { total } = deps.store.view.tasks.list(filter, { offset: 0, limit: 0 });
      return { ...counts, remaining: total };
    },
  });
}

/** Those of the named service, or those of the caller's team that the filter has. */
async function openTasksOf(
  deps: Pick<RecordDeps, "store">,
  request: FastifyRequest,
  requested: z.output<typeof body>,
): Promise<TaskFilter> {
  const { service_id: serviceId, phase, filter } = requested;
  if (filter === undefined) {
    const { id, teamId } = await serviceOf(deps, request, serviceId ?? "");
    return openOnly(taskFilterOf(teamId, { service_id: id, phase }));
  }
  const teamId = teamOf(deps, request);
  if (filter.service_id !== undefined && (await serviceOf(deps, request, filter.service_id)).teamId !== teamId) {
    throw notFound("service");
  }
  return openOnly(taskFilterOf(teamId, filter));
}

function openOnly(filter: TaskFilter): TaskFilter {
  return { ...filter, phases: filter.phases ?? OPEN_PHASES };
}

async function serviceOf({ store }: Pick<RecordDeps, "store">, request: FastifyRequest, id: string): Promise<Service> {
  return (await findService(store, keyOf(request), id)).value;
}

type Outcome = "cancelled" | "ended" | "not_found";

async function cancelEach(
  deps: CancelDeps,
  key: AccessKey,
  ids: ReadonlySet<string>,
  requestId: string,
): Promise<Record<Outcome, number>> {
  const counts = { cancelled: 0, ended: 0, not_found: 0 };
  const left = ids.values();
  const work = async () => {
    for (const id of left) counts[await outcomeOf(deps, key, id, requestId)]++;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return counts;
}

/** From what the view shows: a commit fails where that is stale. */
async function outcomeOf(deps: CancelDeps, key: AccessKey, id: string, requestId: string): Promise<Outcome> {
  const read = () => findTask(deps.store, key, id);
  try {
    const task = await cancelOne(deps, seenTask(deps.store, key, id) ?? (await read()), read, requestId);
    return task.phase.kind === "cancelled" ? "cancelled" : "ended";
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return "not_found";
    throw error;
  }
}
