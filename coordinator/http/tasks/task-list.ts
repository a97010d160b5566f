/** A page of tasks as text: live and archived ones, with their input and result while these are short. */
import { type HistoryPage, OFFSET_MAX, type TaskHistory } from "../../archive/task-history.ts";
import { isExpired } from "../../domain/retention.ts";
import type { Task } from "../../domain/task.ts";
import type { OutlookDeps } from "../../progress/outlook.ts";
import type { Progress } from "../../progress/progress-board.ts";
import { offsetOf, type PageQuery, pageOf } from "../../public/page.ts";
import { type ResultLinkSource, resultMembers } from "../../public/task-link.ts";
import { type TasksQuery, taskFilterOf } from "../../public/task-query.ts";
import { taskText } from "../../public/task-record.ts";
import { invalidRequest } from "../problems/problem.ts";
import { smallBytes, type TaskBytesDeps } from "./task-bytes.ts";

export async function taskListText(
  deps: TaskTextDeps & TaskPageDeps,
  teamId: string,
  query: TasksQuery,
): Promise<string> {
  const page = await deps.history.list(taskFilterOf(teamId, query), {
    offset: query.cursor === undefined ? boundedOffset(query) : 0,
    limit: query.size,
    ...(query.cursor === undefined ? {} : { olderThan: query.cursor }),
  });
  const { ids, total } = page;
  const items = await Promise.all((await tasksOf(deps, page)).map((task) => itemText(deps, task)));
  return listText(items, total, query, ids.length < query.size ? null : (ids.at(-1) ?? null));
}

function boundedOffset(query: PageQuery): number {
  const offset = offsetOf(query);
  if (offset <= OFFSET_MAX) return offset;
  const detail = `only the first ${OFFSET_MAX} tasks are reached by page: follow next_cursor, or narrow the list by time`;
  throw invalidRequest([{ pointer: "page", detail }]);
}

function listText(items: readonly string[], total: number, query: PageQuery, nextCursor: string | null): string {
  const { items: _, ...page } = pageOf([], total, query);
  return `{"items":[${items.join(",")}],${JSON.stringify({ ...page, next_cursor: nextCursor }).slice(1)}`;
}

/** What it takes to read pages of live and archived tasks. */
export interface TaskPageDeps extends TaskBytesDeps {
  readonly history: Pick<TaskHistory, "list">;
}

/** What the record of a task is made of, besides the task. */
export interface TaskTextDeps extends ResultLinkSource, OutlookDeps {
  readonly progress: { get(taskId: string, attempt: number): Progress | null };
}

/** A task with the bytes that stand next to its record. */
export interface TaskOfList {
  readonly task: Task;
  readonly bytes: (of: "input" | "result") => Promise<Buffer>;
}

/** Without those that were removed since the list was made. */
export async function tasksOf(deps: TaskBytesDeps, page: HistoryPage): Promise<readonly TaskOfList[]> {
  const tasks = await Promise.all(page.ids.map((id) => taskOf(deps, page, id)));
  return tasks.filter((task) => task !== null);
}

/** The task as an item of a list. */
export async function itemText(deps: TaskTextDeps, item: TaskOfList): Promise<string> {
  const { task } = item;
  const hasExpired = isExpired(task, deps.clock.now());
  const [input, result] = hasExpired ? ["null", "null"] : await Promise.all([inputText(item), resultText(item)]);
  const text = taskText(task, {
    ...resultMembers(deps, task, result === "null"),
    progress: deps.progress.get(task.id, task.attempts.started),
    waiting: deps.outlook.ofTask(task),
  });
  return text.beforeInput + input + text.beforeResult + result + text.end;
}

async function taskOf(deps: TaskBytesDeps, { archived }: HistoryPage, id: string): Promise<TaskOfList | null> {
  const known = archived.get(id);
  if (known !== undefined) return { task: known.task, bytes: async (of) => known[of] ?? Buffer.alloc(0) };
  const task = (deps.store.view.tasks.get(id) ?? (await deps.store.get("tasks", id)))?.value;
  return task === undefined ? null : { task, bytes: (of) => smallBytes(deps, of, task) };
}

async function inputText({ task, bytes }: TaskOfList): Promise<string> {
  return task.input.where === "blob" ? "null" : JSON.stringify((await bytes("input")).toString());
}

async function resultText({ task: { phase }, bytes }: TaskOfList): Promise<string> {
  if (phase.kind !== "succeeded" || phase.result.where === "blob") return "null";
  return JSON.stringify((await bytes("result")).toString());
}
