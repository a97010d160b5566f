/**
 * One term of leadership: a view that follows the store, and turns that decide from it. A turn takes no input;
 * it is woken by changes and by time, and what a commit did not keep is decided again by the next.
 */
import type { Reservation } from "../domain/claim-at-creation.ts";
import type { Task } from "../domain/task.ts";
import { claimNewTask } from "./act/claim-new-task.ts";
import { claimQueuedTasks } from "./act/claim-queued-tasks.ts";
import { commitPlacements } from "./act/commit-placements.ts";
import { commitRollOuts, noteWaits } from "./act/commit-roll-outs.ts";
import { commitTaskEnds } from "./act/commit-task-ends.ts";
import { Committer } from "./act/committer.ts";
import { Isolation } from "./act/isolation.ts";
import { releaseQuarantines } from "./act/release-quarantines.ts";
import { runBuilds } from "./act/run-builds.ts";
import { runShells } from "./act/run-shells.ts";
import type { SchedulerOptions, TurnContext } from "./act/turn-context.ts";
import { watchNodes } from "./act/watch-nodes.ts";
import { type ServiceLoad, serviceLoads } from "./decide/service-load.ts";
import { followStore } from "./view/follow-store.ts";
import { SchedulerView } from "./view/scheduler-view.ts";

/** Idle workloads, back-offs and silent nodes are looked at this often. */
const TICK_MS = 1_000;
/** How often a new leader looks whether its view has come to what the leader before wrote. */
const CATCHES_UP_EVERY_MS = 50;
/** A longer gap between ticks means that this process slept: its sightings of the nodes are stale. */
const SLEPT_MS = 3_000;

export class LeaderTerm {
  readonly epoch: number;
  readonly #context: TurnContext;
  readonly #stillLeads: () => boolean;
  readonly #unfollow: () => void;
  readonly #ticker: NodeJS.Timeout;
  readonly #catchingUp: NodeJS.Timeout;
  readonly #beganAtMs: number;
  #turnDue: NodeJS.Immediate | null = null;
  #watchingSinceMs: number;
  #tickedAtMs: number;
  /** Whether the view has all that leaders before wrote: what is decided from less is not fenced by this term's epoch. */
  #isCaughtUp = false;
  /** Whether the scheduler's view has all that the store's had when the term began. */
  #isLoaded = false;
  #stopped = false;

  constructor(epoch: number, options: SchedulerOptions, stillLeads: () => boolean) {
    const { store, links, clock, metrics } = options;
    this.epoch = epoch;
    this.#stillLeads = stillLeads;
    const wake = () => this.#wake();
    const committer = new Committer({ ...options, epoch, conflicted: () => metrics.scheduler.conflicted(), wake });
    this.#context = {
      ...options,
      view: new SchedulerView(store.view),
      committer,
      isolation: new Isolation(options),
      epoch,
      wake,
    };
    this.#beganAtMs = clock.monotonicMs();
    this.#watchingSinceMs = this.#beganAtMs;
    this.#tickedAtMs = clock.monotonicMs();
    this.#unfollow = followStore(
      this.#context.view,
      { records: store.view, links, clock },
      { onChange: wake, onLoaded: () => this.#loaded() },
    );
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#catchingUp = setInterval(() => this.#catchUp(), CATCHES_UP_EVERY_MS);
    this.#catchUp();
  }

  /** See claim-at-creation.ts; between turns as well as within. */
  reserve(task: Task): Reservation | null {
    if (!this.#decides() || !this.#stillLeads() || this.#context.committer.isPaused()) return null;
    return claimNewTask(this.#context, task);
  }

  /** For those who watch. */
  loads(): Iterable<ServiceLoad> {
    const { view, clock } = this.#context;
    return serviceLoads(view.services.values(), clock.now());
  }

  stop(): void {
    this.#stopped = true;
    this.#unfollow();
    this.#context.committer.stop();
    clearInterval(this.#ticker);
    clearInterval(this.#catchingUp);
    if (this.#turnDue !== null) clearImmediate(this.#turnDue);
  }

  /** Changes that come together are decided together. */
  #wake(): void {
    if (!this.#decides() || this.#turnDue !== null) return;
    this.#turnDue = setImmediate(() => {
      this.#turnDue = null;
      this.#guarded(() => this.#turn());
    });
  }

  #decides(): boolean {
    return !this.#stopped && this.#isCaughtUp && this.#isLoaded;
  }

  #loaded(): void {
    this.#isLoaded = true;
    this.#wake();
  }

  /** No leader before can write once this term has begun. */
  #catchUp(): void {
    const { view } = this.#context.store;
    this.#isCaughtUp = view.revision() >= this.epoch || view.isCurrentAsOf(this.#beganAtMs);
    if (!this.#isCaughtUp) return;
    clearInterval(this.#catchingUp);
    this.#wake();
  }

  #tick(): void {
    const { clock, view } = this.#context;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#tickedAtMs > SLEPT_MS) this.#watchingSinceMs = nowMs;
    this.#tickedAtMs = nowMs;
    view.touchAll();
    this.#guarded(() => watchNodes(this.#context, this.#watchingSinceMs));
    this.#guarded(() => releaseQuarantines(this.#context));
    this.#wake();
  }

  #turn(): void {
    const { clock, view, committer, metrics } = this.#context;
    if (!this.#stillLeads() || committer.isPaused()) return;
    const startMs = clock.monotonicMs();
    const dirty = [...view.services.takeDirty()].filter(({ id }) => !view.isUnreadable("services", id));
    const more = commitTaskEnds(this.#context, dirty);
    commitRollOuts(this.#context, dirty);
    commitPlacements(this.#context, dirty);
    runShells(this.#context);
    runBuilds(this.#context);
    noteWaits(this.#context, dirty);
    claimQueuedTasks(this.#context, dirty);
    metrics.scheduler.turned(clock.monotonicMs() - startMs);
    metrics.scheduler.queueDepth(view.tasks.queued);
    if (more) this.#wake();
  }

  /** A bug in one turn must not end the scheduling of everything. What concerns one service alone does not come here (isolation.ts). */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      const { log, metrics } = this.#context;
      metrics.scheduler.failed("turn");
      log.error({ err: error }, "a turn of the scheduler failed");
    }
  }
}
