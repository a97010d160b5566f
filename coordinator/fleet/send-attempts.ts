/**
 * Sends agents the attempts to start and to stop, as the records say: a task that came to run on a
 * linked node is started there, one that stopped running by anything but its agent's own report is cancelled.
 *
 * The leader commands, and nodes that it does not reach another coordinator in its name (contacts/). One that comes to
 * command a node sends again what may not have been sent; an agent knows its attempts by their tokens, so that duplicates
 * change nothing.
 */
import type { AttemptRef, StartAttempt } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { pause } from "@elastic/std/pause.ts";
import { reachedStage } from "@elastic/std/task-stages.ts";
import { traceFields } from "@elastic/std/tracing/trace-context.ts";
import { afterLostNode } from "../domain/retry.ts";
import type { Running, Task } from "../domain/task.ts";
import { endSpan, taskSpan } from "../domain/task-span.ts";
import type { Versioned } from "../domain/versioned.ts";
import { RunningAttempts } from "../nodes/running-attempts.ts";
import { taskChanges } from "../store/task-end.ts";
import { attemptKey, attemptRefOf } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { COMMANDS_A_MESSAGE_MAX } from "./limits.ts";
import type { Link } from "./link.ts";

/** Ends that nobody has sent yet, for whoever commands next; beyond these the agent finds out by its own report. */
const UNSENT_MAX = 1_000;
/** A lost attempt that could not be ended because the store was away is ended this much later. */
const LOSE_AGAIN_MS = 500;

type RunningTask = Versioned<Task>;

interface Batch {
  readonly start: StartAttempt[];
  readonly cancel: AttemptRef[];
}

export class AttemptSender {
  readonly #context: Pick<FleetContext, "store" | "contacts" | "links" | "clock" | "log" | "metrics">;
  readonly #running = new RunningAttempts();
  readonly #unsentCancels = new WeakMap<Link, AttemptRef[]>();
  readonly #stopping = new AbortController();
  #batches = new Map<Link, Batch>();

  constructor(context: Pick<FleetContext, "store" | "contacts" | "links" | "clock" | "log" | "metrics">) {
    this.#context = context;
  }

  start(): () => void {
    const unfollow = this.#running.follow(this.#context.store.view.tasks, {
      onStarted: (task, nodeId) => {
        const link = this.#context.links.get(nodeId);
        if (link !== undefined) this.#settle(link, task, { inline: true });
      },
      onEnded: (task, nodeId, after) => this.#onEnded(task, nodeId, after),
    });
    return () => {
      unfollow();
      this.#stopping.abort();
    };
  }

  /** Makes what the agent runs and what it should run the same; for a new link, and when this process comes to command its node. */
  resync(link: Link): void {
    for (const task of this.#running.on(link.nodeId)) this.#settle(link, task, { inline: false });
    if (!this.#commands(link)) return;
    for (const ref of this.#unsentCancels.get(link) ?? []) this.#batch(link).cancel.push(ref);
    this.#unsentCancels.delete(link);
  }

  /** A running task and the link of its node: the agent carries it, or receives it now, or it died with an earlier session. */
  #settle(link: Link, task: RunningTask, how: { readonly inline: boolean }): void {
    const { phase } = task.value;
    const key = attemptKey(task.value.id, task.revision);
    if (phase.kind !== "running" || link.known.has(key)) return;
    if (phase.sessionId !== link.sessionId) {
      if (this.#isNewest(link)) void this.#lose(task, phase);
    } else if (this.#commands(link)) {
      link.known.add(key);
      void this.#sendStart(link, task, phase, how);
    }
  }

  /** A link that the death of its agent has not ended yet knows nothing of the agent that came after. */
  #isNewest({ nodeId, sessionId }: Link): boolean {
    return this.#context.store.view.nodes.get(nodeId)?.value.sessionId === sessionId;
  }

  async #sendStart(link: Link, task: RunningTask, phase: Running, how: { readonly inline: boolean }): Promise<void> {
    const { value } = task;
    const inline = how.inline && value.input.where === "store" ? await this.#inputOf(value.id) : null;
    if (this.#running.get(value.id) !== task) return;
    this.#batch(link).start.push({
      attempt: attemptRefOf(this.#context.store.epoch, task),
      assignmentId: phase.assignmentId,
      serviceId: value.serviceId,
      inlineInput: inline ?? undefined,
      inputBytes: BigInt(value.input.bytes),
      runTimeoutMs: value.budgets.runMs,
      requestId: value.requestId,
      traceparent: value.traceparent,
    });
    const { clock, metrics } = this.#context;
    const toMs = clock.now();
    // What another coordinator may have sent before is only marked.
    const sent = { ...taskSpan("dispatch", value), fromMs: how.inline ? phase.since : toMs, toMs };
    metrics.tracing.record(value.traceparent, sent);
  }

  /** Null where it cannot be read now: the agent fetches it then. */
  async #inputOf(taskId: string): Promise<Buffer | null> {
    try {
      return await this.#context.store.bytes("input", taskId);
    } catch {
      return null;
    }
  }

  #onEnded(task: RunningTask, nodeId: string, after: RunningTask | undefined): void {
    const link = this.#context.links.get(nodeId);
    const key = attemptKey(task.value.id, task.revision);
    if (link === undefined) return;
    link.known.delete(key);
    // It ended by its agent's report, so there is nothing left to stop.
    if (link.reporting.has(key) || after?.value.phase.kind === "succeeded") return;
    const ref = attemptRefOf(this.#context.store.epoch, task);
    if (this.#commands(link)) this.#batch(link).cancel.push(ref);
    else this.#rememberUnsent(link, ref);
  }

  #commands(link: Link): boolean {
    return this.#context.contacts.commandingEpoch(link.nodeId) !== null;
  }

  #rememberUnsent(link: Link, ref: AttemptRef): void {
    const unsent = this.#unsentCancels.get(link) ?? [];
    unsent.push(ref);
    if (unsent.length > UNSENT_MAX) unsent.shift();
    this.#unsentCancels.set(link, unsent);
  }

  /** Its agent process is gone and the new one does not carry it on. Two that decide so write it once. */
  async #lose(task: RunningTask, phase: Running): Promise<void> {
    const { log } = this.#context;
    while (this.#running.get(task.value.id) === task && !this.#stopping.signal.aborted) {
      try {
        await this.#commitLoss(task, phase);
        return;
      } catch (error) {
        log.warn({ err: error, taskId: task.value.id }, "a lost attempt could not be ended yet and is retried");
        await pause(LOSE_AGAIN_MS, this.#stopping.signal);
      }
    }
  }

  async #commitLoss(task: RunningTask, phase: Running): Promise<void> {
    const { store, clock, log, metrics } = this.#context;
    const after = afterLostNode(task.value, clock.now());
    const outcome = await store.commit(taskChanges(store.view, task, after));
    if (outcome.kind !== "committed") return;
    if (after.phase.kind === "queued") metrics.tasks.requeued("node_lost");
    else metrics.tasks.ended("failed", "node_lost", clock.now() - after.createdAt);
    const { id: taskId, requestId, traceparent } = task.value;
    const now = clock.now();
    metrics.tracing.record(traceparent, endSpan(after, now, now));
    log.info({ taskId, requestId, nodeId: phase.nodeId, ...traceFields(traceparent) }, "lost an attempt");
  }

  /** What gathers in one turn of the event loop goes in one message. */
  #batch(link: Link): Batch {
    if (this.#batches.size === 0) setImmediate(() => this.#flush());
    const batch = this.#batches.get(link) ?? { start: [], cancel: [] };
    this.#batches.set(link, batch);
    return batch;
  }

  #flush(): void {
    const batches = this.#batches;
    this.#batches = new Map();
    const storeEpoch = BigInt(this.#context.store.epoch);
    for (const [link, { start, cancel }] of batches) {
      const epoch = this.#context.contacts.commandingEpoch(link.nodeId);
      // Whoever commands it next sends all of it again.
      if (epoch === null) continue;
      const messages = Math.ceil(Math.max(start.length, cancel.length) / COMMANDS_A_MESSAGE_MAX);
      for (let index = 0; index < messages; index++) {
        const part = <T>(items: readonly T[]) =>
          items.slice(index * COMMANDS_A_MESSAGE_MAX, (index + 1) * COMMANDS_A_MESSAGE_MAX);
        for (const { attempt } of part(start)) reachedStage("sent", attempt?.taskId ?? "");
        const cancels = part(cancel).map((attempt) => ({ attempt }));
        link.send({
          $case: "attemptCommands",
          value: { storeEpoch, leaderEpoch: BigInt(epoch), start: part(start), cancel: cancels },
        });
      }
    }
  }
}
