/** `?wait=`: a response that is sent once the task has ended, or when the time is over. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Caller } from "../../auth/authorize.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { refuseEnded } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { Problem } from "../problems/problem.ts";
import type { WaitDeps } from "./task-waits.ts";

const WAIT_S_MAX = 300;

export const waitQuery = z.object({
  wait: z.int().min(0).max(WAIT_S_MAX).optional().describe("Seconds to wait for the task to end."),
});

/** Of the request, in milliseconds; 0 where it has none. */
export function waitMsOf(request: FastifyRequest): number {
  const { wait } = request.query as { readonly wait?: unknown };
  if (wait === undefined) return 0;
  const seconds = typeof wait === "string" && /^\d{1,3}$/.test(wait) ? Number(wait) : Number.NaN;
  if (seconds <= WAIT_S_MAX) return seconds * 1000;
  throw new Problem("invalid_request", `wait must be a whole number of seconds from 0 to ${WAIT_S_MAX}.`, {
    errors: [{ pointer: "wait", detail: `from 0 to ${WAIT_S_MAX}` }],
  });
}

/**
 * The task once it has ended; null when the time is over, or the client went. Refused when too many wait, and when
 * the caller may no longer read it by then.
 */
export async function endOf(
  deps: WaitDeps & Pick<RecordDeps, "store" | "clock">,
  caller: Caller,
  reply: FastifyReply,
  { task, timeoutMs }: { readonly task: Pick<Task, "id" | "teamId">; readonly timeoutMs: number },
): Promise<Versioned<Task> | null> {
  const holder = { key: caller, teamId: task.teamId };
  const onGone = (abandon: () => void) => reply.raw.once("close", abandon);
  const ended = await deps.waits.wait({ taskId: task.id, holder, timeoutMs, onGone });
  if (ended !== null) refuseEnded(deps, caller, ended.value.teamId);
  return ended;
}

/** Of a task that this request has just created: it exists, so the response is its record whatever the outcome of the wait. */
export async function createdOnceEnded(
  deps: WaitDeps & Pick<RecordDeps, "store" | "clock">,
  caller: Caller,
  reply: FastifyReply,
  { created, timeoutMs }: { readonly created: Task; readonly timeoutMs: number },
): Promise<Task> {
  try {
    const ended = await endOf(deps, caller, reply, { task: created, timeoutMs });
    return (ended ?? deps.store.view.tasks.get(created.id))?.value ?? created;
  } catch (error) {
    // Too many wait already.
    if (error instanceof Problem) return created;
    throw error;
  }
}
