/**
 * Live and archived tasks as one. The view is looked at first and the archive then: what had left the store by then
 * is in the archive, and what is in both is counted once.
 */
import type { DailyUsage } from "../domain/daily-usage.ts";
import type { TaskUsage } from "../domain/task-usage.ts";
import type { EndedPhase, UsageSums } from "../domain/usage-sums.ts";
import type { TaskFilter, TaskPage, TaskView } from "../store/store.ts";
import type { Archive, ArchivedTask, ArchiveFilter, ArchiveUsage } from "./archive.ts";
import { mergePage } from "./merge-page.ts";
import { RecentRemovals } from "./recent-removals.ts";

/** Deeper than this a reader follows the cursor: what is before a page has to be stepped over. */
export const OFFSET_MAX = 10_000;

const HOUR_MS = 3_600_000;

const ENDED_PHASES: ReadonlySet<string> = new Set<EndedPhase>([
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "expired",
]);

export interface HistoryPage {
  /** Newest first. */
  readonly ids: readonly string[];
  readonly total: number;
  /** Those of them that only the archive has. */
  readonly archived: ReadonlyMap<string, ArchivedTask>;
}

export type HistoryArchive = Pick<Archive, "list" | "getMany" | "usage" | "usageDays">;

/** The part of sums that tasks are added to. */
interface Sums {
  addTask(serviceId: string, usage: TaskUsage): void;
}

export class TaskHistory {
  readonly #tasks: TaskView;
  readonly #archive: HistoryArchive;
  readonly #removals: RecentRemovals;

  constructor(tasks: TaskView, archive: HistoryArchive) {
    this.#tasks = tasks;
    this.#archive = archive;
    this.#removals = new RecentRemovals(tasks);
  }

  /** As a list of the view. The offset is at most OFFSET_MAX; there is none with `olderThan`. */
  async list(filter: TaskFilter, page: TaskPage): Promise<HistoryPage> {
    const moment = this.#removals.now();
    const live = this.#tasks.list(filter, { ...page, offset: 0, limit: page.offset + page.limit });
    const skipped = Math.max(0, page.offset - live.total);
    const archived = await this.#archive.list(archiveFilterOf(filter), {
      ...page,
      offset: skipped,
      limit: page.limit === 0 ? 0 : page.offset - skipped + page.limit,
    });
    const inBoth = archived.arriving.filter((id) => this.#wasLive(moment, id));
    const first = archived.ids[0];
    const skippedInBoth = skipped === 0 ? 0 : inBoth.filter((id) => first === undefined || id > first).length;
    const ids = mergePage(live.ids, { ids: archived.ids, skipped }, skippedInBoth, page);
    return { ids, total: live.total + archived.total - inBoth.length, archived: await this.#readArchived(ids) };
  }

  /** What a team's tasks used that ended in full hours from one on and before another. */
  usage(teamId: string, fromHour: number, beforeHour: number): Promise<UsageSums> {
    return this.#withLive({ teamId, fromHour, beforeHour }, () => this.#archive.usage(teamId, fromHour, beforeHour));
  }

  /** The same by day. */
  usageDays(teamId: string, fromHour: number, beforeHour: number): Promise<DailyUsage> {
    return this.#withLive({ teamId, fromHour, beforeHour }, () =>
      this.#archive.usageDays(teamId, fromHour, beforeHour),
    );
  }

  /** What the archive has settled, with what is live and what arrives, each task once. */
  async #withLive<T extends Sums>(
    {
      teamId,
      fromHour,
      beforeHour,
    }: { readonly teamId: string; readonly fromHour: number; readonly beforeHour: number },
    read: () => Promise<{ readonly settled: T; readonly arriving: ArchiveUsage["arriving"] }>,
  ): Promise<T> {
    const moment = this.#removals.now();
    const live = [...this.#tasks.endedEntries.values()].filter(
      ({ teamId: owner, usage }) => owner === teamId && isWithin(usage.finishedAt, fromHour, beforeHour),
    );
    const { settled: sums, arriving } = await read();
    for (const { serviceId, usage } of live) sums.addTask(serviceId, usage);
    for (const { id, serviceId, usage } of arriving) {
      if (!this.#wasLive(moment, id)) sums.addTask(serviceId, usage);
    }
    return sums;
  }

  #wasLive(moment: number, id: string): boolean {
    return this.#isLive(id) || this.#removals.hasLeftSince(moment, id);
  }

  #isLive(id: string): boolean {
    return this.#tasks.endedEntries.has(id) || this.#tasks.get(id) !== undefined;
  }

  /** A task may leave the view while others are read from the archive: then it is read next. */
  async #readArchived(ids: readonly string[]): Promise<ReadonlyMap<string, ArchivedTask>> {
    const tasks = new Map<string, ArchivedTask>();
    const unread = new Set(ids);
    for (;;) {
      const gone = [...unread].filter((id) => this.#tasks.get(id) === undefined);
      if (gone.length === 0) return tasks;
      for (const id of gone) unread.delete(id);
      for (const archived of await this.#archive.getMany(gone)) tasks.set(archived.task.id, archived);
    }
  }
}

function archiveFilterOf({ phases, ...filter }: TaskFilter): ArchiveFilter {
  if (phases === undefined) return filter;
  return { ...filter, phases: phases.filter((phase): phase is EndedPhase => ENDED_PHASES.has(phase)) };
}

function isWithin(instant: number, fromHour: number, beforeHour: number): boolean {
  const hour = Math.floor(instant / HOUR_MS);
  return hour >= fromHour && hour < beforeHour;
}
