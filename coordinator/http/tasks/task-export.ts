/** Tasks as the lines of a table, or as the members of a JSON array, page by page. */

import type { Task } from "../../domain/task.ts";
import { type CsvCell, csvLine } from "../../public/csv.ts";
import { publicState } from "../../public/task-record.ts";
import { timestamp, timestampOrNull } from "../../public/timestamp.ts";
import type { TaskFilter } from "../../store/store.ts";
import { itemText, type TaskOfList, type TaskPageDeps, type TaskTextDeps, tasksOf } from "./task-list.ts";

export const EXPORT_TASKS_MAX = 100_000;
const PAGE_TASKS = 100;

export type ExportFormat = "csv" | "json";

const CSV_COLUMNS: readonly (readonly [name: string, cell: (task: Task) => CsvCell])[] = [
  ["task_id", ({ id }) => id],
  ["service_id", ({ serviceId }) => serviceId],
  ["service_name", ({ serviceName }) => serviceName],
  ["creator_id", ({ creatorId }) => creatorId],
  ["state", ({ phase }) => publicState(phase)],
  ["phase", ({ phase }) => phase.kind],
  ["reason", ({ phase }) => ("failure" in phase ? phase.failure.reason : null)],
  ["message", ({ phase }) => ("failure" in phase ? phase.failure.message : null)],
  ["created", ({ createdAt }) => timestamp(createdAt)],
  ["started", ({ phase }) => ("startedAt" in phase ? timestampOrNull(phase.startedAt) : null)],
  ["finished", ({ phase }) => ("finishedAt" in phase ? timestamp(phase.finishedAt) : null)],
  ["attempts", ({ attempts }) => attempts.started],
  ["input_bytes", ({ input }) => input.bytes],
  ["result_bytes", ({ phase }) => (phase.kind === "succeeded" ? phase.result.bytes : null)],
];

/** The text in pieces, a page of tasks each. Throws, with the text incomplete, once `mayGoOn` returns false. */
export async function* exportText(
  deps: TaskPageDeps & TaskTextDeps,
  filter: TaskFilter,
  format: ExportFormat,
  mayGoOn: () => boolean,
): AsyncGenerator<string> {
  const { begin, row, separator, end } = FORMATS[format];
  yield begin;
  let count = 0;
  for await (const page of pagesOf(deps, filter)) {
    if (!mayGoOn()) throw new Error("the caller may no longer read these tasks");
    const rows = await Promise.all(page.map((task) => row(deps, task)));
    yield (count === 0 ? "" : separator) + rows.join(separator);
    count += rows.length;
  }
  yield end;
}

interface Format {
  readonly begin: string;
  readonly row: (deps: TaskTextDeps, of: TaskOfList) => string | Promise<string>;
  readonly separator: string;
  readonly end: string;
}

const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: {
    begin: csvLine(CSV_COLUMNS.map(([name]) => name)),
    row: (_deps, { task }) => csvLine(CSV_COLUMNS.map(([, cell]) => cell(task))),
    separator: "",
    end: "",
  },
  json: { begin: "[", row: itemText, separator: ",\n", end: "]\n" },
};

/** Newest first. Tasks that are created meanwhile are newer than all of them, and are left out. */
async function* pagesOf(deps: TaskPageDeps, filter: TaskFilter): AsyncGenerator<readonly TaskOfList[]> {
  let olderThan: string | undefined;
  for (let count = 0; count < EXPORT_TASKS_MAX; count += PAGE_TASKS) {
    const from = olderThan === undefined ? {} : { olderThan };
    const page = await deps.history.list(filter, { offset: 0, limit: PAGE_TASKS, ...from });
    const tasks = await tasksOf(deps, page);
    if (tasks.length > 0) yield tasks;
    olderThan = page.ids.at(-1);
    if (page.ids.length < PAGE_TASKS) return;
  }
}
