/** Reads everything there is to read of one team, and fails where a task is missing, doubled or not as it was. */
import { expect } from "vitest";
import type { Task } from "../../domain/task.ts";
import { usageOf } from "../../domain/task-usage.ts";
import { UsageSums } from "../../domain/usage-sums.ts";
import type { Store, TaskFilter } from "../../store/store.ts";
import { withHistory } from "../store-with-history.ts";
import { TaskHistory } from "../task-history.ts";
import { archived } from "./ended-tasks.ts";
import type { Moving } from "./moving.ts";

export const TEAM = "0".repeat(31).concat("a");
export const HOUR_MS = 3_600_000;
/** When the tasks are read. */
export const NOW = 1_700_000_000_000;
const FROM_HOUR = Math.floor(NOW / HOUR_MS) - 48;
const BEFORE_HOUR = Math.floor(NOW / HOUR_MS) + 48;

const FILTERS: readonly Omit<TaskFilter, "teamId">[] = [
  {},
  { phases: ["succeeded"] },
  { phases: ["queued", "failed", "cancelled"] },
  { createdFrom: NOW - HOUR_MS, createdBefore: NOW - 600_000 },
];

export class HistoryReader {
  readonly #tasks: readonly Task[];
  readonly #store: Store;
  readonly #history: TaskHistory;
  readonly #size: number;
  /** Pages of a list that is read while the tasks move: one page at each look. */
  #paged: string[] = [];
  #cursor: string | undefined;

  constructor(tasks: readonly Task[], store: Store, { archive, clock }: Moving, size: number) {
    this.#tasks = tasks.filter(({ teamId }) => teamId === TEAM);
    this.#store = withHistory(store, archive, clock);
    this.#history = new TaskHistory(store.view.tasks, archive);
    this.#size = size;
  }

  async look(): Promise<void> {
    await this.#nextPage();
    for (const filter of FILTERS) await this.#list(filter);
    await this.#usage();
    await this.#one();
  }

  async #nextPage(): Promise<void> {
    const { ids } = await this.#history.list(
      { teamId: TEAM },
      { offset: 0, limit: this.#size, ...(this.#cursor === undefined ? {} : { olderThan: this.#cursor }) },
    );
    this.#paged.push(...ids);
    this.#cursor = ids.at(-1);
    if (ids.length === this.#size) return;
    expect(this.#paged).toEqual(this.#expected({}));
    this.#paged = [];
    this.#cursor = undefined;
  }

  async #list(filter: Omit<TaskFilter, "teamId">): Promise<void> {
    const expected = this.#expected(filter);
    const offset = this.#size * (this.#paged.length % 4);
    const page = await this.#history.list({ teamId: TEAM, ...filter }, { offset, limit: this.#size });
    expect(page.ids).toEqual(expected.slice(offset, offset + this.#size));
    expect(page.total).toBe(expected.length);
    for (const id of page.ids) {
      expect(page.archived.has(id) || this.#store.view.tasks.get(id) !== undefined).toBe(true);
    }
  }

  async #usage(): Promise<void> {
    const expected = new UsageSums();
    for (const task of this.#tasks) if (task.phase.kind !== "queued") expected.addTask(task.serviceId, usageOf(task));
    const used = await this.#history.usage(TEAM, FROM_HOUR, BEFORE_HOUR);
    expect(used.services).toEqual(expected.services);
  }

  async #one(): Promise<void> {
    const task = this.#tasks[this.#paged.length % this.#tasks.length];
    if (task === undefined) return;
    expect((await this.#store.get("tasks", task.id))?.value).toEqual(task);
    if (task.phase.kind === "queued") return;
    const bytes = archived(task);
    expect(await this.#store.bytes("input", task.id)).toEqual(bytes.input);
    expect(await this.#store.bytes("result", task.id)).toEqual(bytes.result);
  }

  #expected({ phases, createdFrom = 0, createdBefore = Infinity }: Omit<TaskFilter, "teamId">): string[] {
    return this.#tasks
      .filter(({ phase }) => phases?.includes(phase.kind) ?? true)
      .filter(({ createdAt }) => createdAt >= createdFrom && createdAt < createdBefore)
      .map(({ id }) => id)
      .sort()
      .reverse();
  }
}
