/**
 * Receives the logs of attempts from the node that runs them, or ran them until a moment ago: an agent sends the last of
 * a log after its report. Each piece is acknowledged; what is not an agent sends again, here or to another
 * coordinator, and learns what is stored.
 */
import { once } from "node:events";
import type {
  AppendLogsRequest,
  AppendLogsResponse,
  LogAck,
  LogChunk,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { ServerDuplexStream } from "@grpc/grpc-js";
import { attemptSpan } from "../domain/attempt-span.ts";
import type { Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { LogRef } from "../task-logs/task-logs.ts";
import { isCurrent, type NamedAttempt, readAttemptRef, whyNeverOn } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { LOG_GRACE_MS, LOG_NOTES_BYTES_MAX } from "./limits.ts";
import { identityOf, type NodeIdentity } from "./node-identity.ts";
import { refuseOversizedLogs } from "./oversized.ts";
import { CERTIFICATE_ENDED, NO_NODE_IDENTITY, Refusal, refusalOf } from "./refusal.ts";

export type AppendCall = ServerDuplexStream<AppendLogsRequest, AppendLogsResponse>;

export interface AppendContext
  extends Pick<FleetContext, "store" | "logs" | "clock" | "log" | "metrics" | "violations"> {
  /** Of one attempt's log. */
  readonly logBytesMax: number;
}

export async function handleAppendLogs(context: AppendContext, call: AppendCall): Promise<void> {
  const gone = new AbortController();
  call.on("cancelled", () => gone.abort());
  call.on("close", () => gone.abort());
  call.on("error", () => gone.abort());
  try {
    const identity = identityOf(call);
    if (identity === null) throw NO_NODE_IDENTITY;
    // Destroyed as the loop is left, the call would end without its status.
    const requests: AsyncIterable<AppendLogsRequest> = call.iterator({ destroyOnReturn: false });
    for await (const request of requests) {
      if (identity.notAfter <= context.clock.now()) throw CERTIFICATE_ENDED;
      const oversized = refuseOversizedLogs(context, request);
      if (oversized !== null) throw oversized;
      const acks = await appendAll(context, identity, request.chunks);
      if (!call.write({ acks })) await once(call, "drain", { signal: gone.signal });
    }
    call.end();
  } catch (error) {
    context.violations.noteError(identityOf(call)?.nodeId, error);
    if (gone.signal.aborted) return;
    if (!(error instanceof Refusal)) context.log.warn({ err: error }, "logs could not be stored");
    call.emit("error", refusalOf(error));
  }
}

/** Pieces of one log one after the other, logs side by side. */
async function appendAll(
  context: AppendContext,
  identity: NodeIdentity,
  chunks: readonly LogChunk[],
): Promise<LogAck[]> {
  const before = new Map<string, Promise<unknown>>();
  const acks = chunks.map((chunk) => {
    const taskId = chunk.attempt?.taskId ?? "";
    const ack = (before.get(taskId) ?? Promise.resolve()).then(() => append(context, identity, chunk));
    before.set(taskId, ack);
    return ack;
  });
  return await Promise.all(acks);
}

async function append(context: AppendContext, identity: NodeIdentity, chunk: LogChunk): Promise<LogAck> {
  const named = readAttemptRef(chunk.attempt);
  if (named === null) context.violations.note(identity.nodeId, "logs", "a piece of a log names no attempt");
  const ref = named === null || !fits(context, chunk) ? null : await logOf(context, identity, named);
  if (ref === null) {
    context.metrics.logs.refused();
    return { attempt: chunk.attempt, keptBytes: 0n, refused: true };
  }
  const offset = Number(chunk.offset);
  const { logs } = context;
  const state =
    chunk.data.length > 0 ? await logs.append(ref, offset, chunk.data) : ((await logs.state(ref)) ?? NOTHING);
  const isComplete = state.bytes === offset + chunk.data.length;
  if (isComplete) context.metrics.logs.appended(chunk.data.length);
  if (isComplete && chunk.last && !state.complete) await logs.complete(ref);
  return { attempt: chunk.attempt, keptBytes: BigInt(state.bytes), refused: state.complete && !isComplete };
}

const NOTHING = { bytes: 0, complete: false };

function fits({ logBytesMax }: AppendContext, { offset, data }: LogChunk): boolean {
  return logBytesMax > 0 && offset + BigInt(data.length) <= BigInt(logBytesMax + LOG_NOTES_BYTES_MAX);
}

/** Null for a log that is not this node's to write. What the view does not confirm is read from the store. */
async function logOf(context: AppendContext, { nodeId }: NodeIdentity, named: NamedAttempt) {
  const { store, clock, violations } = context;
  const mayWrite = (task: Versioned<Task> | null | undefined): task is Versioned<Task> =>
    task !== null &&
    task !== undefined &&
    mayAppend(task, named, { nodeId, storeEpoch: store.epoch, now: clock.now() });
  const seen = store.view.tasks.get(named.taskId);
  const task = mayWrite(seen) ? seen : await store.get("tasks", named.taskId);
  if (task === null || task === undefined) return await logOfBuild(context, nodeId, named);
  if (!mayWrite(task)) {
    const why = whyNeverOn(store.epoch, task, nodeId, named);
    if (why !== null) violations.note(nodeId, "logs", why);
    return null;
  }
  return { teamId: task.value.teamId, taskId: named.taskId, attempt: named.number } satisfies LogRef;
}

/** The log of a build's run is named by the build and the run's number. */
async function logOfBuild(
  { store, clock }: AppendContext,
  nodeId: string,
  named: NamedAttempt,
): Promise<LogRef | null> {
  const build = (await store.get("builds", named.taskId))?.value;
  if (build === undefined || named.storeEpoch !== store.epoch) return null;
  const { state, teamId } = build;
  const isRun = build.nodeId === nodeId && build.runs === named.number && state.kind !== "queued";
  const mayWrite = isRun && (state.kind === "running" || clock.now() - state.since <= LOG_GRACE_MS);
  return mayWrite ? { teamId, taskId: build.id, attempt: named.number } : null;
}

interface Asker {
  readonly nodeId: string;
  readonly storeEpoch: number;
  readonly now: number;
}

/**
 * The current attempt on its node; or one that ended there within the grace, except by the loss of its node: what
 * comes back from being lost has no say any more. Once the claim is overwritten, task and number name the attempt.
 */
export function mayAppend(task: Versioned<Task>, named: NamedAttempt, { nodeId, storeEpoch, now }: Asker): boolean {
  if (storeEpoch !== named.storeEpoch) return false;
  const span = attemptSpan(task.value.timeline, named.number);
  if (span?.nodeId !== nodeId) return false;
  if (span.over === null) return isCurrent(storeEpoch, task, named);
  return span.over.reason !== "node_lost" && now - span.over.at <= LOG_GRACE_MS;
}
